import { createTar } from "nanotar";
import type { Config } from "@/lib/config";
import type { Clock } from "@/lib/domain/values";
import { readUpTo } from "@/lib/read-body";
import { isOpenTo } from "@/lib/workshop/context";
import { type IssuedFile, issuedFiles } from "./certificate-issuing";
import { type CertificateOrder, type OrderField, readOrder } from "./certificate-order";

type Services = {
  readonly config: Pick<Config, "SANDBOX" | "WEB_URL" | "DATA_DIR">;
  readonly clock: Clock;
};

const BODY_BYTES_MAX = 4_096;

/** Of each server, for all who order: every order makes two pairs of RSA keys, and nobody has to sign in for it. */
export const orderRates = { atOnce: 4, perMinute: 60 } as const;
/** Of an order. */
export const TOO_MANY_ORDERS = "is one too many at the moment: try again in a minute";
const MINUTE_MILLISECONDS = 60_000;
let running = 0;
let lately: readonly number[] = [];

/** The files of an order, and an archive of them; undefined where there are too many orders. */
export async function orderedFiles(order: CertificateOrder, { config, clock }: Services) {
  // Not by the bank's clock, which anybody may move.
  const now = performance.now();
  lately = lately.filter((at) => at > now - MINUTE_MILLISECONDS);
  if (running >= orderRates.atOnce || lately.length >= orderRates.perMinute) return undefined;
  lately = [...lately, now];
  running += 1;
  try {
    // By the bank's clock: where it was moved, the certificates are valid then.
    const bank = { dataDir: config.DATA_DIR, webUrl: config.WEB_URL, now: await clock.now() };
    const files = await issuedFiles(order, bank);
    return { files, archive: archiveOf(files, bank.now) };
  } finally {
    running -= 1;
  }
}

/**
 * The workshop's form for a program: fields as a form sends them, `roles` with commas or more than once. The answer is an
 * archive of the files, or a line of text for each fault. It is kept nowhere.
 */
export async function serveCertificates(services: Services, request: Request): Promise<Response> {
  if (!isOpenTo(request.headers, services.config)) return new Response(null, { status: 404 });
  const text = (await readUpTo(request.body, BODY_BYTES_MAX))?.toString("utf8");
  if (text === undefined) return refusal(`the body has more than ${BODY_BYTES_MAX} bytes`);
  const fields = new URLSearchParams(text);
  const roles = fields.getAll("roles").flatMap((role) => role.split(","));
  const empty = { id: "", name: "", domain: "localhost" };
  const read = readOrder({ ...empty, ...Object.fromEntries(fields), roles });
  if ("faults" in read) {
    const line = ({ field, text }: { readonly field: OrderField; readonly text: string }) =>
      `${field} ${text}`;
    return refusal(read.faults.map(line).join("\n"));
  }
  const made = await orderedFiles(read.order, services);
  if (made === undefined) return refusal(`the order ${TOO_MANY_ORDERS}`, 429);
  return new Response(new Uint8Array(made.archive), {
    headers: {
      "content-type": "application/x-tar",
      "content-disposition": 'attachment; filename="certificates.tar"',
      "cache-control": "no-store",
    },
  });
}

/** A tar archive, in which only the owner may read a key. */
function archiveOf(files: readonly IssuedFile[], now: Date): Buffer {
  const entries = files.map(({ name, text: data }) => {
    return { name, data, attrs: { mode: name.endsWith(".key") ? "600" : "644" } };
  });
  const attrs = { uid: 0, gid: 0, mtime: now.getTime() };
  return Buffer.from(createTar(entries, { attrs }));
}

function refusal(text: string, status = 400): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}
