import { connect as connectTcp, Socket } from "node:net";
import postgres from "postgres";
import { fault } from "./guard";

/** Milliseconds in which a host has to say what it is. A busy machine takes one second to connect. */
const ASKING_MS = 2_000;

/** Where a pool's connections lead. */
type ConnectionTarget = {
  /** With one host. */
  readonly url: string;
  readonly options: {
    readonly target_session_attrs?: "primary";
    /** Which the driver has, and its types have not. */
    readonly socket?: () => Promise<Socket>;
  };
  /** After a lost connection: the primary is looked for again. */
  readonly forget: () => void;
};

/**
 * Of several hosts connections lead to the primary. The driver (postgres.js 3.4.9) takes several hosts too, but
 * retries without a pause and without an end while none answers, and takes a standby for one that can be written to.
 */
export function connectionTarget(databaseUrl: string): ConnectionTarget {
  const address = databaseAddress(databaseUrl);
  if (address === undefined) throw new Error("the database has no usable URL");
  const { urls, primaryOnly } = address;
  const [url] = urls;
  if (!primaryOnly) return { url, options: {}, forget: () => undefined };

  let asked: Promise<string | undefined> | undefined;
  let isAsking = false;
  let known: number | undefined;
  const ask = async () => {
    isAsking = true;
    const found = await primaryOf(urls, known);
    isAsking = false;
    known = found?.timeline ?? known;
    return found?.url;
  };
  const socket = async (): Promise<Socket> => {
    asked ??= ask();
    const found = await asked;
    return found === undefined ? closedSocket() : openedSocket(new URL(found));
  };
  // The search goes on when a connection is given up sooner than a host that hangs: the next one has what it finds.
  const forget = () => {
    if (!isAsking) asked = undefined;
  };
  // A host can have become a standby since it was asked: the connection itself is asked again.
  return { url, options: { socket, target_session_attrs: "primary" }, forget };
}

/** The URL with the host alone that is the primary now; of one host it is the same URL. */
export async function primaryUrl(databaseUrl: string): Promise<string> {
  const address = databaseAddress(databaseUrl);
  if (address?.primaryOnly !== true) return databaseUrl;
  const found = await primaryOf(address.urls);
  if (found === undefined) throw fault("NO_PRIMARY");
  return found.url;
}

type State = { readonly writable: boolean; readonly timeline: number };

/**
 * Of two that are writable, the one that was promoted last: the other is a former primary that was restarted. All have to
 * have answered for that, unless one is of a later timeline than is `known`: it was promoted since, and a former primary
 * that hangs is not waited for.
 */
async function primaryOf(urls: readonly string[], known = Number.POSITIVE_INFINITY) {
  const states = urls.map(async (url) => ({
    url,
    ...(await stateOf(url).catch(() => unreachable)),
  }));
  const promoted = states.map(async (asked) => {
    const state = await asked;
    if (state.writable && state.timeline > known) return state;
    throw fault("NO_PRIMARY");
  });
  return Promise.any(promoted).catch(async () => {
    const [latest] = (await Promise.all(states))
      .filter(({ writable }) => writable)
      .toSorted((one, other) => other.timeline - one.timeline);
    return latest;
  });
}

const unreachable: State = { writable: false, timeline: 0 };

async function stateOf(url: string): Promise<State> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: ASKING_MS / 1_000,
    fetch_types: false,
    onnotice: () => undefined,
  });
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(fault("NO_ANSWER")), ASKING_MS).unref();
  });
  try {
    // The first eight digits of a log file's name are its timeline.
    const asking = sql<State[]>`
      select current_setting('transaction_read_only') = 'off' as writable,
        case when pg_is_in_recovery() then 0
          else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
        end as timeline`;
    const [state] = await Promise.race([asking, late]);
    return state ?? unreachable;
  } finally {
    void sql.end({ timeout: 0 });
  }
}

/** The driver writes to it at once, and Node keeps that until the connection stands. */
function openedSocket({ hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  const at = { host, port: Number(port) || 5432 };
  return Object.assign(connectTcp(at), at);
}

/** One that fails as an unreachable host does: the driver forgets a connection whose socket never was. */
function closedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(fault("NO_PRIMARY")));
  return socket;
}

/** A database's URL as libpq has it, in which one database can have several hosts. */
type DatabaseAddress = {
  /** The same URL with one host each, in the order of their names. */
  readonly urls: readonly [string, ...string[]];
  /** Whether the connection has to be to a primary: there is a choice, or the URL says so. */
  readonly primaryOnly: boolean;
};

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^#]*)$/;
const DEMAND = "target_session_attrs";
/** Equal for this bank, which can serve nothing from a standby. */
const DEMANDS: readonly string[] = ["read-write", "primary"];

/** Undefined when it is no such URL, or demands a session that is of no use here. */
export function databaseAddress(text: string): DatabaseAddress | undefined {
  const [, head, hosts, rest] = PARTS.exec(text) ?? [];
  if (head === undefined || hosts === undefined || rest === undefined) return undefined;
  const all = hosts.split(",").map((host) => `${head}${host}${rest}`);
  if (!all.every((url) => URL.canParse(url))) return undefined;
  const demands = new URL(all[0] ?? head).searchParams.getAll(DEMAND);
  if (!demands.every((demand) => DEMANDS.includes(demand))) return undefined;
  const [first, ...others] = all.map(withoutDemand);
  if (first === undefined) return undefined;
  return { urls: [first, ...others], primaryOnly: demands.length > 0 || others.length > 0 };
}

/** The driver's own check lets a standby pass as read-write (postgres.js 3.4.9). */
function withoutDemand(text: string): string {
  const url = new URL(text);
  url.searchParams.delete(DEMAND);
  return url.href;
}
