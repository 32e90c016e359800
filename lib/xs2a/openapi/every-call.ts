import type { Header, Parameter } from "./open-api";

const uuid = { type: "string", format: "uuid" } as const;
const text = { type: "string" } as const;

function header(name: string, description: string, schema: Parameter["schema"]): Parameter {
  return { name, in: "header", required: true, description, schema };
}

/** What the pipeline asks of any call; no schema reads them, so that this is their description. */
export const headersOfEveryCall: readonly Parameter[] = [
  header("X-Request-ID", "The TPP's id of the call. It comes back with the answer.", uuid),
  header("Date", "When the call was signed (RFC 7231).", {
    type: "string",
    pattern:
      "^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$",
  }),
  header(
    "Digest",
    "SHA-256 or SHA-512 over the bytes of the body, also when there are none (RFC 3230).",
    { type: "string", pattern: "^(SHA-256|SHA-512)=" },
  ),
  header(
    "TPP-Signature-Certificate",
    "The QSealC that the signature verifies with: base64 of its DER.",
    text,
  ),
];

/** What comes with any answer. */
export const headersOfEveryAnswer: Readonly<Record<string, Header>> = {
  "X-Request-ID": {
    description: "The call's own; a new one when it had none that is a UUID.",
    required: true,
    schema: uuid,
  },
  "X-FAPI-Interaction-ID": {
    description: "The call's own, or a new one.",
    required: true,
    schema: uuid,
  },
};
