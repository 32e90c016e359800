import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { type Answer, answerIn } from "./answer";

export type Target = {
  readonly port: number;
  /** PEM. */
  readonly ca: string;
  readonly certificate: { readonly pem: string; readonly key: string };
};

/** One connection that is kept alive, with one request on it at a time. */
export type Connection = {
  /** Throws when the connection is lost before the answer is whole. */
  readonly send: (request: Uint8Array) => Promise<Answer>;
  readonly close: () => void;
};

type Waiting = {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

/** No more of HTTP than the bench needs: a client library would cost more than some of the servers. */
export async function openConnection({ port, ca, certificate }: Target): Promise<Connection> {
  const { pem: cert, key } = certificate;
  const socket = connect({ host: "localhost", servername: "localhost", port, ca, cert, key });
  socket.setNoDelay(true);
  await once(socket, "secureConnect");
  return over(socket);
}

function over(socket: TLSSocket): Connection {
  let waiting: Waiting | undefined;
  let received: Buffer = Buffer.alloc(0);

  const end = (error: Error) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on("data", (chunk: Buffer) => {
    received = received.byteLength === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = answerIn(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    const { resolve } = waiting ?? {};
    waiting = undefined;
    resolve?.(answer);
  });
  socket.on("error", end);
  socket.on("close", () => end(new Error("the connection was closed before the answer")));

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
