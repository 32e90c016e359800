import { createHmac } from "node:crypto";
import { Agent, fetch as undiciFetch } from "undici";
import type { Webhook } from "@/lib/domain/webhooks";

export type WebhookReceiver = {
  /** https. */
  readonly url: string;
  /** `whsec_` and base64; each signs, so that the receiver may change from one to the next. */
  readonly secrets: readonly string[];
  /** PEM of the authority of its certificate, where it is no public one. */
  readonly ca?: string | undefined;
  readonly millisecondsMax: number;
  readonly connections: number;
};

/** Delivers one message by the Standard Webhooks specification. Throws unless it was answered with a 2xx. */
export type SendWebhook = (webhook: Webhook, now: Date) => Promise<void>;

/** A redirect is no answer: it would lead where the bank has not said. */
export function webhookSender(receiver: WebhookReceiver): SendWebhook {
  const { url, secrets, ca, millisecondsMax, connections } = receiver;
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  const dispatcher = new Agent({ connect: { ...(ca !== undefined && { ca }) }, connections });
  return async ({ messageId, type, at, data }, now) => {
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const response = await undiciFetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": messageId,
        "webhook-timestamp": timestamp,
        "webhook-signature": keys
          .map((key) => signatureOf(key, `${messageId}.${timestamp}.${body}`))
          .join(" "),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(millisecondsMax),
      dispatcher,
    });
    response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw new Error(`the receiver of webhooks answered ${response.status}`);
  };
}

function signatureOf(key: Buffer, signed: string): string {
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
