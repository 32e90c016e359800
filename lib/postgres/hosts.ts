/** A database's URL as libpq has it, in which one database can have several hosts. */
export type DatabaseAddress = {
  /** The same URL with one host each, in the order of their names. */
  readonly urls: readonly [string, ...string[]];
  /** Whether the connection has to be to a primary: there is a choice, or the URL says so. */
  readonly primaryOnly: boolean;
};

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^#]*)$/;
const DEMAND = "target_session_attrs";
/** Both mean what this bank needs; on a standby it could not so much as count a request. */
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
