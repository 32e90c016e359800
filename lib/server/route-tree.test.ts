import fc from "fast-check";
import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex";
import { getSortedRoutes } from "next/dist/shared/lib/router/utils/sorted-routes";
import { describe, expect, it } from "vitest";
import { routeTree } from "./route-tree";

const folders = [
  "/open-banking/[...unknown]",
  "/open-banking/accounts",
  "/open-banking/accounts/[accountId]",
  "/open-banking/accounts/[accountId]/balances",
  "/open-banking/accounts/[accountId]/transactions/[transactionId]",
  "/open-banking/[service]/[product]",
  "/open-banking/[service]/[product]/[...unknown]",
  "/open-banking/[service]/[product]/[paymentId]/status",
  "/open-banking/signing-baskets/[[...unknown]]",
  "/token",
  "/token/revocation",
];
const find = routeTree(Object.fromEntries(folders.map((folder) => [folder, folder])));

/** Next's own reading of the same folders: what is fixed at once, and then the rest in its order. */
function nexts(path: string) {
  const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
  if (folders.includes(plain) && !plain.includes("[")) return { target: plain, segments: {} };
  for (const target of getSortedRoutes(folders)) {
    const segments = getRouteMatcher(getRouteRegex(target))(plain);
    if (segments !== false) return { target, segments: { ...segments } };
  }
  return undefined;
}

describe("the route of a path", () => {
  it.each([
    ["/token/revocation", "/token/revocation", {}],
    ["/open-banking/accounts", "/open-banking/accounts", {}],
    ["/open-banking/accounts/7", "/open-banking/accounts/[accountId]", { accountId: "7" }],
    ["/open-banking/accounts/a%20b", "/open-banking/accounts/[accountId]", { accountId: "a b" }],
    ["/open-banking/signing-baskets", "/open-banking/signing-baskets/[[...unknown]]", {}],
    ["/open-banking/x", "/open-banking/[...unknown]", { unknown: ["x"] }],
    ["/open-banking/%61ccounts", "/open-banking/[...unknown]", { unknown: ["accounts"] }],
  ])("%s is %s", (path, target, segments) => {
    expect(find(path)).toEqual({ target, segments });
  });

  it.each([
    ["%00", "\0"],
    ["a%0Ab", "a\nb"],
    ["a%2Fb", "a/b"],
    ["%2E%2E", ".."],
    ["%zz", "%zz"],
    ["%ff", "%ff"],
  ])("an id may have any characters, broken escapes stay: %s", (sent, accountId) => {
    const target = "/open-banking/accounts/[accountId]/balances";
    const segments = { accountId };
    expect(find(`/open-banking/accounts/${sent}/balances`)).toEqual({ target, segments });
  });

  it.each(["/open-banking/../token", "/open-banking/..%2ftoken", "/open-banking/%2e%2e/token"])(
    "C14: %s leads nowhere else",
    (path) => expect(find(path)?.target).toMatch(/^\/open-banking\//),
  );

  it.each(["/", "/open-banking", "/tokens", "/Token", "/auth"])("%s has none", (path) => {
    expect(find(path)).toBeUndefined();
  });

  it("is the one that Next finds", () => {
    const words = ["open-banking", "accounts", "balances", "transactions", "signing-baskets"];
    const part = fc.constantFrom(
      ...words,
      "status",
      "token",
      "revocation",
      "x",
      "%C8%9B",
      "%61ccounts",
    );
    const end = fc.constantFrom("", "/");
    const rest = fc.array(part, { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.constantFrom("/open-banking", "/token", ""),
        rest,
        end,
        (begin, all, slash) => {
          const path = [begin, ...all].join("/") + slash;
          expect(find(path)).toEqual(nexts(path));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("cannot be told when one folder has two names", () => {
    expect(() => routeTree({ "/a/[one]/b": 1, "/a/[other]/c": 2 })).toThrow("two names");
  });
});
