import type { Fault, Rejection } from "@/lib/domain/errors";

/** The standard's form of a refusal: every fault an entry, texts of at most 500 characters. */
type TppMessages = { readonly tppMessages: readonly TppMessage[] };

type TppMessage = {
  readonly category: "ERROR" | "WARNING";
  readonly code: string;
  readonly path?: string;
  readonly text: string;
};

const TEXT_CHARACTERS_MAX = 500;

export function tppMessages(faults: readonly Fault[]): TppMessages {
  return { tppMessages: faults.map((fault) => message("ERROR", fault)) };
}

export function warning(text: string, path: string): TppMessages {
  const entry = { category: "WARNING", code: "WARNING", path, text } as const;
  return { tppMessages: [entry] };
}

/** The same refusal as a problem document (RFC 7807), for a TPP that asks for nothing else. */
export function problemDocument({ status, faults: [first, ...others] }: Rejection) {
  return {
    type: `https://www.berlin-group.org/nextgenpsd2/errors#${first.code}`.slice(0, 70),
    title: first.code,
    status,
    detail: clipped(first.text),
    code: first.code,
    ...(others.length === 0
      ? {}
      : { additionalErrors: others.map(({ code, text }) => ({ code, detail: clipped(text) })) }),
  };
}

function message(category: "ERROR", { code, path, text }: Fault): TppMessage {
  const known = { category, code, text: clipped(text) };
  return path === undefined ? known : { ...known, path };
}

function clipped(text: string): string {
  return text.slice(0, TEXT_CHARACTERS_MAX);
}
