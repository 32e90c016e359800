import type { MessageCode, Rejection } from "@/lib/domain/errors";
import type { Explanation } from "@/lib/domain/refused-requests";
import type { HttpRequest } from "@/lib/xs2a/http";
import { meaningOf, ofEveryCall } from "@/lib/xs2a/refusals";
import type { WorkshopContext } from "./context";
import { explain } from "./explain";
import { HIDDEN } from "./raw-request";
import type { Fact, Step } from "./step";

export type RefusedNow = {
  readonly request: HttpRequest;
  /** Absent where the request was refused before its body was read. */
  readonly body: Uint8Array | undefined;
  readonly route: string;
  readonly rejection: Rejection;
};

const FACT_CHARACTERS_MAX = 2_000;
const codesOfEveryCall: readonly string[] = Object.values(ofEveryCall).flat();

/**
 * The step of the workshop's explanation that refused a request, to be kept for its TPP. What only an endpoint checks is
 * not in the workshop: of that the rule, and what was wrong with each part.
 */
export async function explainRefusal(
  { request, body = new Uint8Array(), route, rejection }: RefusedNow,
  means: WorkshopContext,
): Promise<Explanation> {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const [{ code, text }] = rejection.faults;
  const raw = { method, target: pathname + search, headers: [...headers], body };
  const steps = codesOfEveryCall.includes(code) ? await explain({ request: raw }, means) : [];
  const failed = steps.find(
    ({ verdict }) => verdict.kind === "failed" && verdict.refusal.text === text,
  );
  const { title, facts } = failed ?? ofEndpoint(rejection);
  return { check: title, facts: facts.map((fact) => redacted(fact, route)) };
}

function ofEndpoint({ faults }: Rejection): Pick<Step, "title" | "facts"> {
  const [{ code }] = faults;
  const wrong = faults.map(({ path, text }) => ({ label: path ?? "Request", value: text }));
  return { title: checkOf(code), facts: [{ label: "Rule", value: meaningOf[code] }, ...wrong] };
}

function checkOf(code: MessageCode): string {
  if (code.startsWith("TOKEN_")) return "Access token";
  if (code.startsWith("CONSENT_")) return "Consent";
  if (code === "ACCESS_EXCEEDED") return "Number of requests";
  if (code === "PAYLOAD_TOO_LARGE") return "Body";
  if (code === "FORMAT_ERROR" || code.startsWith("PARAMETER_")) return "Form of the request";
  return "Rules of the endpoint";
}

/** Lines of a signing string that may be kept as they are; those of other headers may be about a PSU. */
const KEPT_LINE = /^(?:digest|x-request-id|date|tpp-(?:nok-)?redirect-uri): /;
const ANY_LINE = /^([^:]+): .*$/;

/** As the workshop shows it to who pasted it, without what must not be kept: the signature itself, ids, data of a PSU. */
function redacted({ label, value }: Fact, route: string): Explanation["facts"][number] {
  if (label === "Path") return { label, value: route };
  const kept =
    label === "Signing string"
      ? value
          .split("\n")
          .map((line) => (KEPT_LINE.test(line) ? line : line.replace(ANY_LINE, `$1: ${HIDDEN}`)))
          .join("\n")
      : value.replace(/(signature=")[^"]*/gi, `$1${HIDDEN}`);
  return { label, value: kept.slice(0, FACT_CHARACTERS_MAX) };
}
