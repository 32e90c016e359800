import { isUnavailable, UnavailableError } from "@/lib/domain/unavailable";

/**
 * What means that the database is away and not that a statement is wrong: the one table. SQLSTATEs by
 * their class or in full, codes of the driver, of Node and of `fault` as they are.
 */
const away: readonly RegExp[] = [
  /^08/, // connection exceptions
  /^57P0[123]$/, // shut down by an operator, crashed, starting up
  /^53/, // no room on the disk (53100), no memory, too many connections, a configured limit
  /^25006$/, // read-only: a primary that is one no more
  /^CONNECTION_(CLOSED|ENDED|DESTROYED)$/,
  /^CONNECT_TIMEOUT$/,
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH)$/,
  /^(ENOTFOUND|EAI_AGAIN)$/,
  /^(NO_CONNECTION_FREE|NO_ANSWER|NO_PRIMARY)$/,
];

/**
 * Whether the code says nothing about the connection it came on, which goes on being used: the server lacks something
 * (class 53, but for a connection that it refuses), or all connections were busy.
 */
export function leavesConnections(code: string | undefined): boolean {
  return code !== undefined && /^(NO_CONNECTION_FREE|53(?!300).*)$/.test(code);
}

const texts = {
  NO_CONNECTION_FREE: "no connection to the database was free in time",
  NO_ANSWER: "the database did not answer in time",
  NO_PRIMARY: "none of the named hosts is the primary",
} as const;

/** What this module says itself of a database that does not answer. */
export function fault(code: keyof typeof texts): Error {
  return Object.assign(new Error(texts[code]), { code });
}

/** The error as the rest of the house knows it; any other stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (isUnavailable(error)) return error;
  const code = codeOf(error);
  const isAway = code !== undefined && away.some((pattern) => pattern.test(code));
  return isAway ? new UnavailableError(`the database is away (${code})`, { cause: error }) : error;
}

/** The driver's, Node's or PostgreSQL's own word for it, wherever in the chain of causes it stands. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : codeOf(error.cause);
}
