import { fields, type Message, messages } from "./messages";

/** A statement that went by, and what became of it. */
export type Seen = {
  readonly connection: number;
  readonly text: string;
  /** Sent as it stands, or parsed and bound: each time anew, or under a name that is kept. */
  readonly protocol: "simple" | "unnamed" | "named";
  /** OIDs as the client has declared them; 0 leaves it to the server. */
  readonly types: readonly number[];
  readonly parameters: readonly (string | null)[];
  /** What PostgreSQL said when it was done, e.g. `SELECT 3`. */
  readonly tag: string;
  /** Places in the order of everything that went by on all connections. */
  readonly startedAt: number;
  readonly endedAt: number;
};

type Parsed = Pick<Seen, "text" | "types"> & { parsedAt: number | undefined };
type Sent = Omit<Seen, "tag" | "endedAt">;

const TEXT_FORMAT = 0;

/** Listens to both sides of one connection. `now` counts up with each call, for all connections. */
export function statements(
  connection: number,
  now: () => number,
  onSeen: (statement: Seen) => void,
) {
  const parsed = new Map<string, Parsed>();
  const sent: Sent[] = [];
  let tags: string[] = [];

  function bound(body: Buffer): Sent {
    const read = fields(body);
    read.text();
    const name = read.text();
    const statement = parsed.get(name);
    if (statement === undefined) throw new Error("a statement was bound that was never parsed");
    const startedAt = statement.parsedAt ?? now();
    statement.parsedAt = undefined;
    const { text, types } = statement;
    const protocol = name === "" ? "unnamed" : "named";
    return { connection, text, types, protocol, parameters: parametersOf(read), startedAt };
  }

  const parse = (body: Buffer) => {
    const read = fields(body);
    const [name, text] = [read.text(), read.text()];
    const types = Array.from({ length: read.int16() }, read.int32);
    parsed.set(name, { text, types, parsedAt: now() });
  };
  const sendSimple = (body: Buffer) => {
    const text = fields(body).text();
    const simple = { protocol: "simple", types: [], parameters: [] } as const;
    sent.push({ connection, text, ...simple, startedAt: now() });
  };
  const beReady = () => {
    const done = tags.length > 0 ? sent.shift() : undefined;
    if (done !== undefined) onSeen({ ...done, tag: tags.join(), endedAt: now() });
    tags = [];
  };
  // By the letters that the protocol has for them.
  const fromClient = new Map<string, (body: Buffer) => void>([
    ["P", parse],
    ["B", (body) => void sent.push(bound(body))],
    ["Q", sendSimple],
  ]);
  const fromServer = new Map<string, (body: Buffer) => void>([
    ["C", (body) => void tags.push(fields(body).text())],
    ["E", () => void tags.push("ERROR")],
    ["Z", beReady],
  ]);
  return {
    client: messages("client", ({ type, body }: Message) => fromClient.get(type)?.(body)),
    server: messages("server", ({ type, body }: Message) => fromServer.get(type)?.(body)),
    /** Whether the server still has something to answer. */
    isBusy: () => sent.length > 0,
  };
}

function parametersOf(read: ReturnType<typeof fields>): readonly (string | null)[] {
  const formats = Array.from({ length: read.int16() }, read.int16);
  if (formats.some((format) => format !== TEXT_FORMAT)) {
    throw new Error("a parameter was sent in binary form, which the bench cannot read");
  }
  return Array.from({ length: read.int16() }, () => {
    const length = read.int32();
    return length < 0 ? null : read.bytes(length).toString("utf8");
  });
}
