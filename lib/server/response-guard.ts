import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** A complete answer that takes the place of the one a handler was about to give. */
export type Replacement = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Guard = (response: ServerResponse) => Replacement | undefined;
type HeadArguments = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

/**
 * Runs `guard` at the last moment at which headers can change, whoever writes the response. The
 * guard may change headers, or yield another answer: then what the handler writes goes nowhere.
 */
export function guardResponse(response: ServerResponse, guard: Guard): void {
  const { writeHead, write, end } = response;
  let replacement: Replacement | undefined;
  let decided = false;

  const decide = () => {
    if (decided) return;
    decided = true;
    replacement = guard(response);
    if (replacement === undefined) return;
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = replacement.status;
    for (const [name, value] of Object.entries(replacement.headers)) {
      response.setHeader(name, value);
    }
  };

  Object.assign(response, {
    writeHead: (status: number, ...rest: HeadArguments) => {
      if (decided) return writeHead.call(response, response.statusCode);
      response.statusCode = status;
      for (const argument of rest) {
        if (typeof argument === "string") response.statusMessage = argument;
        else setAll(response, argument);
      }
      decide();
      return writeHead.call(response, response.statusCode);
    },
    write: (...all: unknown[]) => {
      decide();
      if (replacement === undefined) return Reflect.apply(write, response, all);
      callbackOf(all)?.();
      return true;
    },
    end: (...all: unknown[]) => {
      decide();
      if (replacement === undefined) return Reflect.apply(end, response, all);
      return Reflect.apply(end, response, [replacement.body, callbackOf(all)]);
    },
  });
}

function setAll(
  response: ServerResponse,
  headers: OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined,
): void {
  if (Array.isArray(headers)) {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const value = headers[at + 1];
      if (value !== undefined) response.appendHeader(String(headers[at]), asText(value));
    }
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined) response.setHeader(name, value);
  }
}

function asText(value: OutgoingHttpHeader): string | readonly string[] {
  return typeof value === "number" ? String(value) : value;
}

export function callbackOf(all: readonly unknown[]): (() => void) | undefined {
  const last = all.at(-1);
  return typeof last === "function" ? () => last() : undefined;
}
