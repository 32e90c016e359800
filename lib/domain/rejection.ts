import { type MessageCode, messageCodes, type StatusOf } from "./message-codes";

/** One reason: `text` is for the TPP's developer and leaves the house, so it tells no internals. */
export type Fault = { readonly code: MessageCode; readonly text: string; readonly path?: string };

/** Ends a request. Thrown where it ends; caught once, where the answer is written. */
export class Rejection extends Error {
  readonly status: number;
  readonly faults: readonly [Fault, ...Fault[]];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    faults: readonly [Fault, ...Fault[]],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} ${faults.map((fault) => fault.code).join(", ")}: ${faults[0].text}`);
    this.name = "Rejection";
    this.status = status;
    this.faults = faults;
    this.headers = headers;
  }
}

type Where = { readonly path?: string; readonly headers?: Readonly<Record<string, string>> };

/** A rejection with the code's usual status, or with another one that the table allows for it. */
export function reject<Code extends MessageCode>(
  code: Code,
  text: string,
  { status, path, headers }: Where & { readonly status?: StatusOf<Code> } = {},
): Rejection {
  const fault = path === undefined ? { code, text } : { code, text, path };
  return new Rejection(status ?? messageCodes[code][0], [fault], headers);
}
