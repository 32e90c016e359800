import { expect, it } from "vitest";
import { databaseAddress } from "./primary";

it("one host is a URL as it stands", () => {
  const url = "postgres://me:secret@db:5432/bank?sslmode=require";
  expect(databaseAddress(url)).toEqual({ urls: [url], primaryOnly: false });
});

it("several hosts are as many URLs, each with its port, and one of them has to be the primary", () => {
  expect(
    databaseAddress("postgresql://me:s%2Cret@db-1:5432,db-2,[::1]:5434/bank?ssl=true"),
  ).toEqual({
    urls: [
      "postgresql://me:s%2Cret@db-1:5432/bank?ssl=true",
      "postgresql://me:s%2Cret@db-2/bank?ssl=true",
      "postgresql://me:s%2Cret@[::1]:5434/bank?ssl=true",
    ],
    primaryOnly: true,
  });
});

it.each(["read-write", "primary"])(
  "target_session_attrs=%s is kept to here, and not handed on",
  (attrs) => {
    expect(databaseAddress(`postgres://db/bank?target_session_attrs=${attrs}&ssl=true`)).toEqual({
      urls: ["postgres://db/bank?ssl=true"],
      primaryOnly: true,
    });
  },
);

it.each([
  "postgres://db/bank?target_session_attrs=any",
  "postgres://db-1,db-2/bank?target_session_attrs=prefer-standby",
  "postgres://db/bank?target_session_attrs=read-write&target_session_attrs=standby",
  "postgres://db-1:port,db-2/bank",
  "mysql://db/bank",
  "db-1,db-2",
])("%s is refused", (url) => {
  expect(databaseAddress(url)).toBeUndefined();
});
