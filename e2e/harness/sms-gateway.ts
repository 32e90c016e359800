import { createServer, type Server } from "node:http";
import { steadyPort } from "./steady-port";

type Taken = {
  readonly authorization: string | undefined;
  readonly body: { readonly to: string; readonly text: string };
};

/** A gateway for text messages, which a test can turn off and on at the same address. */
export type SmsGateway = {
  readonly url: string;
  readonly taken: readonly Taken[];
  readonly goDown: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
};

export async function smsGateway(): Promise<SmsGateway> {
  const taken: Taken[] = [];
  const port = await steadyPort();
  let server: Server | undefined;

  async function comeBack(): Promise<void> {
    const started = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      taken.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
      response.writeHead(202).end();
    });
    await new Promise<void>((resolve) => started.listen(port, "127.0.0.1", resolve));
    server = started;
  }

  async function goDown(): Promise<void> {
    const stopping = server;
    server = undefined;
    if (stopping === undefined) return;
    stopping.closeAllConnections();
    await new Promise((resolve) => stopping.close(resolve));
  }

  await comeBack();
  return { url: `http://127.0.0.1:${port}/messages`, taken, goDown, comeBack };
}
