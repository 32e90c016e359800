import { type Phone, phoneOf } from "../../phone-of";

/** The phone as JSON, for programs that have to read a code. */
export async function messagesResponse(
  house: Parameters<typeof phoneOf>[0],
  request: Request,
): Promise<Response> {
  const phone = await phoneOf(house, new URL(request.url).searchParams.get("psu"));
  const headers = { "Cache-Control": "no-store" };
  if (phone === undefined) {
    return Response.json({ error: "there is no such phone" }, { status: 404, headers });
  }
  return Response.json(asJson(phone), { headers });
}

function asJson({ messages }: Phone) {
  return messages.map(({ sentAt, text, code }) => ({ sentAt: sentAt.toISOString(), text, code }));
}
