import { AuthorisationRefused, NoAnswer, Refused } from "@/clients/typescript/src";
import { WrongUsage } from "./wrong-usage";

/** What the person at the terminal is told when a command cannot go on. */
export type InWords = { readonly text: string; readonly exitCode: 1 | 2 | 3 };

export function inWords(error: unknown): InWords {
  const errors = withCauses(error);
  const codes = errors.flatMap((one) => ("code" in one ? [String(one.code)] : []));
  if (error instanceof WrongUsage || codes.some((code) => code.startsWith("ERR_PARSE_ARGS"))) {
    return { text: messageOf(error), exitCode: 2 };
  }
  if (error instanceof AuthorisationRefused) {
    return { text: `The PSU did not agree: ${error.message}`, exitCode: 3 };
  }
  if (error instanceof Refused) {
    return { text: `The bank refused. ${error.message}`, exitCode: 1 };
  }
  const noAnswer = errors.find((one) => one instanceof NoAnswer);
  if (noAnswer !== undefined) return { text: whyNoAnswer(noAnswer, codes), exitCode: 1 };
  return { text: messageOf(error), exitCode: 1 };
}

const UNTRUSTED =
  /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_SIGNATURE_FAILURE|ALTNAME/;

/** The TLS library's own refusal to show such a certificate: nothing was sent. */
const TOO_WEAK = /MD_TOO_WEAK|KEY_TOO_SMALL/;

function whyNoAnswer({ origin }: NoAnswer, codes: readonly string[]): string {
  if (codes.some((code) => TOO_WEAK.test(code))) {
    return "The TLS library of this machine declines to send qwac.pem: its key or its signature is too weak.";
  }
  return codes.some((code) => UNTRUSTED.test(code))
    ? `The certificate of ${origin} is not of the CA in ca.pem: does the bank run with the same DATA_DIR?`
    : `Nothing answers at ${origin}: start the bank with "npm start", or name another with --xs2a.`;
}

/** The error and every error behind it. */
function withCauses(error: unknown): readonly Error[] {
  if (!(error instanceof Error)) return [];
  const behind: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...behind.flatMap(withCauses), ...withCauses(error.cause)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
