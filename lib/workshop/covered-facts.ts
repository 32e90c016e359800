import { Rejection } from "@/lib/domain/rejection";
import { checkCoveredHeaders } from "@/lib/xs2a/signature/covered-headers";
import type { Fact } from "./step";

/** No signed request goes without them; set, so that the check comes to speak of the others. */
const EVERY_REQUEST_HAS = ["digest", "x-request-id", "date"] as const;

/** Each header that the signature covers or has to cover, and whether it does. */
export function coveredFacts(signed: readonly string[], headers: Headers): readonly Fact[] {
  const complete = new Headers(headers);
  for (const name of EVERY_REQUEST_HAS) if (!complete.has(name)) complete.set(name, "-");
  const demanded = [...complete.keys()].filter((name) => isDemanded(name, complete));
  return [...new Set([...demanded, ...signed])].map((label) => {
    const sent = label.startsWith("(") || headers.has(label);
    const state = inWords(demanded.includes(label), signed.includes(label));
    return { label, value: sent ? state : `${state}; it is not in the request` };
  });
}

/** Asked of the check itself: a header is demanded when it is not enough to cover all the others. */
function isDemanded(name: string, headers: Headers): boolean {
  const others = [...headers.keys()].filter((other) => other !== name);
  try {
    checkCoveredHeaders(others, headers);
    return false;
  } catch (error) {
    if (error instanceof Rejection) return true;
    throw error;
  }
}

function inWords(demanded: boolean, covered: boolean): string {
  if (!demanded) return "covered, though it need not be";
  return covered ? "has to be covered, and is" : "has to be covered, and is not";
}
