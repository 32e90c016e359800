import { onTestFinished } from "vitest";
import { freePort } from "../database-port";
import { type Host, listen } from "../listeners";
import type { Handler } from "../tpp-host";

/** Opens a host on a free loopback port for the length of a test, and yields the port. */
export async function openHost(
  host: Pick<Host, "handle" | "tls" | "broken"> & Partial<Pick<Host, "setting">>,
): Promise<number> {
  const port = await freePort(0);
  const listener = await listen({ setting: "XS2A_PORT", loopbackOnly: true, ...host, port });
  onTestFinished(() => listener.close(0));
  return port;
}

/** Stands in for the application: says in JSON what of a request reached it. */
export const echo: Handler = async (request, response) => {
  const { method, url, headers, rawHeaders } = request;
  response.setHeader("content-type", "application/json");
  response.setHeader("x-powered-by", "Next.js");
  response.end(JSON.stringify({ method, url, headers, rawHeaders }));
};
