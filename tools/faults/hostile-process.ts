import { connect as connectTcp, type Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { connect as connectTls } from "node:tls";
import { seal, signed } from "@/clients/typescript/src";

/** Run by a campaign in a process of its own: all that wears a server out without a payment. */
export type Hostile = {
  /** Instead of all the rest: connections that are idle, from so many loopback addresses. */
  readonly idleFrom?: number;
  readonly xs2aPort: number;
  readonly webPort: number;
  readonly sockets: number;
  readonly qwac: { readonly pem: string; readonly key: string };
  readonly qseal: { readonly pem: string; readonly key: string };
  readonly ca: string;
};

/** What a server may be sent that it will not read to the end. */
const HUGE_BYTES = 60 * 1024 * 1024;
const HUGE_PAUSE_MS = 1_000;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);
const TRICKLE_MS = 1_000;
const TRICKLING = 40;
const DEEP_EVERY_MS = 200;
const PAUSE_MS = 250;
/** How often the parent is told how many connections there have been. */
const TELLING_MS = 100;
/** Before an idle connection that the server has ended is opened again. */
const IDLE_PAUSE_MS = 2_000;
/** So many that none of them reaches the bound of one, which is not what is tried here. */
const ADDRESSES = 4;
const PATH = "/open-banking/v3.1/aisp/v1/consents";

const quiet = (socket: Socket): Socket => socket.on("error", () => undefined);

process.once("message", (hostile: Hostile) => {
  // Who attacks has machines of their own: the processors here are the server's and those clients' who behave.
  setPriority(constants.priority.PRIORITY_LOW);
  let opened = 0;
  const { xs2aPort, webPort, sockets, qwac, ca, idleFrom } = hostile;
  const counted = (socket: Socket) => socket.once("connect", () => (opened += 1));
  let nth = 0;
  const tcp = (port: number) => {
    nth += 1;
    const localAddress = `127.0.0.${2 + (nth % (idleFrom ?? ADDRESSES))}`;
    return counted(quiet(connectTcp({ port, host: "127.0.0.1", localAddress })));
  };
  const unnamed = () => quiet(connectTls({ socket: tcp(xs2aPort), rejectUnauthorized: false }));
  const named = { servername: "localhost", cert: qwac.pem, key: qwac.key, ca };
  const tls = () => quiet(connectTls({ ...named, socket: tcp(xs2aPort) }));

  /** One after the other, as often as the server ends it. */
  function again(open: () => Socket, use: (socket: Socket) => void, pause = PAUSE_MS): void {
    const socket = open();
    socket.once("close", () => setTimeout(() => again(open, use, pause), pause));
    use(socket);
  }

  setInterval(() => process.send?.(opened), TELLING_MS);
  if (idleFrom !== undefined) {
    const askOnce = (socket: Socket) =>
      socket.resume().write("GET /jwks HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (let made = 0; made < sockets; made += 1) again(unnamed, askOnce, IDLE_PAUSE_MS);
    return;
  }
  const silent = () => undefined;
  // Read to its end, or the connection would never be over for this side, and none would follow it.
  const halfHead = (socket: Socket) =>
    socket.resume().write("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ");
  for (let made = 0; made < sockets; made += 1) {
    // No TLS, no request, half a request: each is stalled where another time limit has to end it.
    if (made % 5 < 3) again(() => tcp(xs2aPort), silent);
    else if (made % 5 === 3) again(() => tcp(webPort), halfHead);
    else again(tls, halfHead);
  }
  for (let made = 0; made < TRICKLING; made += 1) again(tls, trickle);
  again(tls, pour, HUGE_PAUSE_MS);
  const ask = deep(hostile);
  setInterval(() => ask(tls()), DEEP_EVERY_MS);
});

/** A body of a byte a second. */
function trickle(socket: Socket): void {
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n`);
  const timer = setInterval(() => socket.write("x"), TRICKLE_MS);
  socket.once("close", () => clearInterval(timer)).resume();
}

function pour(socket: Socket): void {
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${HUGE_BYTES}\r\n\r\n`);
  let left = HUGE_BYTES;
  const more = () => {
    while (left > 0 && socket.writable) {
      left -= CHUNK.byteLength;
      if (!socket.write(CHUNK)) return;
    }
    socket.end();
  };
  socket.on("drain", more).resume();
  more();
}

/** As deep as a body of the greatest size can be, and signed like any other. */
function deep({ qseal }: Hostile) {
  const body = Buffer.from(`{"access":${"[".repeat(32_000)}${"]".repeat(32_000)}}`);
  const sealing = seal(qseal.pem, qseal.key);
  return (socket: Socket) => {
    const headers = signed(sealing, body, {
      accept: "application/json",
      "content-type": "application/json",
      "psu-ip-address": "192.0.2.1",
      "tpp-redirect-uri": "http://localhost:9/back",
    });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = [`POST ${PATH} HTTP/1.1\r\n`, "Host: localhost\r\n", ...lines];
    socket
      .resume()
      .write(`${head.join("")}Connection: close\r\nContent-Length: ${body.byteLength}\r\n\r\n`);
    socket.write(body);
  };
}
