import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

const SEAL_BYTES = 16;

const position = z.strictObject({
  resourceId: z.string(),
  bookingStatus: z.enum(["booked", "pending", "both", "all"]),
  dateFrom: z.string(),
  dateTo: z.string().optional(),
  day: z.string(),
  id: z.string(),
  asOf: z.string(),
});

/** Where the next page of a report begins, and the report it belongs to. */
export type Cursor = z.infer<typeof position>;

/** Opaque and sealed: a page that was never offered cannot be asked for. */
export function sealCursor(cursor: Cursor, secret: string): string {
  const text = Buffer.from(JSON.stringify(cursor));
  return Buffer.concat([seal(text, secret), text]).toString("base64url");
}

/** The cursor this bank sealed, or undefined for anything else. */
export function openCursor(sealed: string, secret: string): Cursor | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= SEAL_BYTES || bytes.toString("base64url") !== sealed) return undefined;
  const text = bytes.subarray(SEAL_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(text, secret))) return undefined;
  return position.safeParse(JSON.parse(text.toString())).data;
}

function seal(text: Uint8Array, secret: string): Buffer {
  return createHmac("sha256", secret)
    .update("cursor\n")
    .update(text)
    .digest()
    .subarray(0, SEAL_BYTES);
}
