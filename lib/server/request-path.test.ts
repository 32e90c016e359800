import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainPath } from "./request-path";

describe("the path of a request target", () => {
  it.each([
    ["/token", "/token"],
    ["/jwks?x=//..", "/jwks"],
    ["/%74oken", "/token"],
    ["/accounts/a%20b", "/accounts/a b"],
  ])("%s is %s", (target, path) => {
    expect(plainPath(target)).toBe(path);
  });

  it.each([
    "",
    "*",
    "token",
    "http://localhost/token",
    "//token",
    "/open-banking//v3.1",
    "/open-banking/../token",
    "/open-banking/./v3.1",
    "/open-banking/%2e%2e/token",
    "/open-banking%2fv3.1",
    "/open-banking/%5c..%5ctoken",
    "/open-banking\\v3.1",
    "/%zz",
    "/%ff",
    "/a%00b",
    "/a%0ab",
    "/token#part",
  ])("%s can be read in two ways: it has none", (target) => {
    expect(plainPath(target)).toBeUndefined();
  });

  it("is what a URL parser makes of it, whenever there is one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[/a-z.%0-9?#\\]{0,12}$/), (text) => {
        const path = plainPath(`/${text}`);
        if (path === undefined) return;
        const { pathname } = new URL(`/${text}`, "http://localhost");
        expect(decodeURIComponent(pathname)).toBe(path);
      }),
    );
  });
});
