import { describe, expect, it } from "vitest";
import { readSettings } from "./config";
import { refusal } from "./testing-config";

describe("the database", () => {
  const sandboxAt = (url: string) => ({ DATABASE_URL: url });

  it("can have several hosts, as libpq names them", () => {
    const url = "postgres://me:word@db-1:5432,db-2,[::1]:5433/bank?target_session_attrs=read-write";
    expect(readSettings(sandboxAt(url)).DATABASE_URL).toBe(url);
  });

  it.each(["mysql://db/bank", "postgres://db-1:port,db-2/bank", "db-1,db-2"])(
    "is not %s",
    (url) => {
      expect(refusal(sandboxAt(url))).toBe("DATABASE_URL: must be a postgres:// URL");
    },
  );

  it("is not asked for a session that cannot be written to", () => {
    const said = "DATABASE_URL: target_session_attrs must be read-write or primary";
    expect(refusal(sandboxAt("postgres://a,b/bank?target_session_attrs=any"))).toBe(said);
  });
});

describe("the connections of a process to its database", () => {
  it("are from two to a hundred", () => {
    expect(readSettings({ DATABASE_CONNECTIONS: "100" }).DATABASE_CONNECTIONS).toBe(100);
    for (const value of ["1", "101", "few", "4.5"]) {
      expect(refusal({ DATABASE_CONNECTIONS: value })).toMatch(
        /^DATABASE_CONNECTIONS: must be a whole number of connections/,
      );
    }
  });
});

describe("the end of a server", () => {
  it("can have a pause of up to five minutes before it", () => {
    expect(readSettings({ DRAIN_SECONDS: "300" }).DRAIN_SECONDS).toBe(300);
    for (const value of ["-1", "301", "soon", "1.5"]) {
      expect(refusal({ DRAIN_SECONDS: value })).toMatch(
        /^DRAIN_SECONDS: must be a (whole )?number/,
      );
    }
  });
});
