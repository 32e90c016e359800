import { type Exchange, text } from "@/clients/typescript/src";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Every answer under /open-banking, refusals and faults included, has this form. */
export function formFaults({ request, reply }: Exchange): readonly string[] {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/open-banking/")) return [];
  const { status, headers, body } = reply;
  const faults = [
    ...["x-request-id", "x-fapi-interaction-id"]
      .filter((name) => !UUID.test(String(headers[name])))
      .map((name) => `${name} is ${headers[name]}`),
    ...(headers["cache-control"] === "no-store" ? [] : ["it may be cached"]),
    ...(status >= 500 ? ["a fault of the server's own"] : []),
    ...(status >= 400 && request.method !== "HEAD"
      ? refusalFaults(headers["content-type"], body)
      : []),
  ];
  return faults.map((fault) => `${request.method} ${pathname} ${status}: ${fault}`);
}

function refusalFaults(type: string | undefined, body: Uint8Array): readonly string[] {
  if (!/^application\/(problem\+)?json\b/.test(String(type))) return [`a refusal as ${type}`];
  const parsed: unknown = body.byteLength === 0 ? {} : JSON.parse(text(body));
  const internals =
    /\bat .*(\.\w+|node:[\w/]+):\d+:\d+|node_modules|\/lib\/|select |insert |postgres/i;
  return [
    ...(hasReasons(parsed) ? [] : ["a refusal without tppMessages"]),
    ...(internals.test(text(body)) ? ["a refusal that tells internals"] : []),
  ];
}

function hasReasons(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const messages: unknown = Reflect.get(body, "tppMessages");
  if (!Array.isArray(messages)) return typeof Reflect.get(body, "code") === "string";
  return (
    messages.length > 0 &&
    messages.every(({ category, code }) => category === "ERROR" && /^[A-Z_]+$/.test(String(code)))
  );
}
