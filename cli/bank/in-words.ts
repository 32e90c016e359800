import { SettingError } from "@/lib/config";
import { StatementError } from "@/lib/core-bank/ledger/import-statements";
import { outageIn } from "@/lib/domain/errors";
import { asUnavailable, codeOf } from "@/lib/postgres/guard";
import { ProfileError } from "@/lib/profile/read";
import { CommandFailed } from "./command-failed";
import { WrongUsage } from "./wrong-usage";

type InWords = { readonly text: string; readonly exitCode: number };

/** PostgreSQL's code for a table that is not there. */
const UNDEFINED_TABLE = "42P01";

/** What a person can act on is one sentence; anything else is a fault of ours, and shows where. */
export function inWords(error: unknown): InWords {
  if (error instanceof WrongUsage || hasCode(error, /^ERR_PARSE_ARGS/)) {
    return { text: error.message, exitCode: 2 };
  }
  if (error instanceof StatementError) {
    return { text: `nothing was imported: ${error.message}`, exitCode: 1 };
  }
  if (error instanceof ProfileError) {
    return { text: `the profile is refused:\n${error.message}`, exitCode: 1 };
  }
  if (error instanceof SettingError || error instanceof CommandFailed) {
    return { text: error.message, exitCode: 1 };
  }
  const cause = rootOf(error);
  if (hasCode(cause, new RegExp(`^${UNDEFINED_TABLE}$`))) {
    return {
      text: "the database is not up to date: npm run bank -- migrate",
      exitCode: 1,
    };
  }
  if (hasCode(cause, /^(ENOENT|ENOTDIR|EACCES|EISDIR)$/)) {
    return { text: "path" in cause ? `${cause.path} cannot be read` : cause.message, exitCode: 1 };
  }
  const outage = outageIn(asUnavailable(error));
  const isDatabase = outage?.startsWith("the database ") || hasCode(cause, /^(28\w{3}|3D000)$/);
  if (isDatabase && cause instanceof Error) {
    const reason = cause.message || codeOf(cause);
    return { text: `the database cannot be reached: ${reason}`, exitCode: 1 };
  }
  // The core bank's.
  if (outage !== undefined) return { text: outage, exitCode: 1 };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, exitCode: 1 };
}

function hasCode(error: unknown, codes: RegExp): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    codes.test(error.code)
  );
}

/** Drizzle wraps what the pool has wrapped: what the driver or PostgreSQL has said stands at the bottom. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;
}
