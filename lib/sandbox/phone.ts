import type { Config } from "@/lib/config";
import type { Psu } from "@/lib/domain/psu";
import type { PsuId } from "@/lib/domain/values";

type SandboxMessage = {
  readonly sentAt: Date;
  readonly text: string;
  readonly code?: string;
};

export type SandboxMessages = {
  readonly of: (psuId: PsuId, limit: number) => Promise<readonly SandboxMessage[]>;
};

export type Phone = { readonly psu: Psu; readonly messages: readonly SandboxMessage[] };

type PhoneServices = {
  readonly config: Pick<Config, "SANDBOX">;
  readonly sandboxPsu: (userId: string) => Promise<Psu | undefined>;
  readonly sandboxMessages: SandboxMessages;
};

export const MESSAGES_MAX = 50;

/** A demo customer's text messages, newest first. Undefined outside the sandbox, and for an unknown user. */
export async function phoneOf(
  services: PhoneServices,
  userId: unknown,
): Promise<Phone | undefined> {
  if (!services.config.SANDBOX || typeof userId !== "string") return undefined;
  const psu = await services.sandboxPsu(userId);
  if (psu === undefined) return undefined;
  return { psu, messages: await services.sandboxMessages.of(psu.id, MESSAGES_MAX) };
}

/** The phone as JSON, for programs that have to read a code. */
export async function messagesResponse(
  services: Parameters<typeof phoneOf>[0],
  request: Request,
): Promise<Response> {
  const phone = await phoneOf(services, new URL(request.url).searchParams.get("psu"));
  const headers = { "Cache-Control": "no-store" };
  if (phone === undefined) {
    return Response.json({ error: "there is no such phone" }, { status: 404, headers });
  }
  return Response.json(asJson(phone), { headers });
}

function asJson({ messages }: Phone) {
  return messages.map(({ sentAt, text, code }) => ({ sentAt: sentAt.toISOString(), text, code }));
}
