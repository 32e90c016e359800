import type { Config } from "@/lib/config";
import type { Psu } from "@/lib/domain/psu";
import type { PsuId } from "@/lib/domain/values";

type SandboxMessage = {
  readonly sentAt: Date;
  readonly text: string;
  readonly code?: string;
};

export type Phone = { readonly psu: Psu; readonly messages: readonly SandboxMessage[] };

type SandboxHouse = {
  readonly config: Pick<Config, "SANDBOX">;
  readonly sandboxPsu: (userId: string) => Promise<Psu | undefined>;
  readonly sandboxMessages: {
    readonly of: (psuId: PsuId, limit: number) => Promise<readonly SandboxMessage[]>;
  };
};

const MESSAGES_MAX = 50;

/** A demo customer's text messages, newest first. Undefined outside the sandbox, and for nobody. */
export async function phoneOf(house: SandboxHouse, userId: unknown): Promise<Phone | undefined> {
  if (!house.config.SANDBOX || typeof userId !== "string") return undefined;
  const psu = await house.sandboxPsu(userId);
  if (psu === undefined) return undefined;
  return { psu, messages: await house.sandboxMessages.of(psu.id, MESSAGES_MAX) };
}

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
