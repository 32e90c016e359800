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

  it("of an OCSP request in base64 is as it came, its slashes escaped", () => {
    for (const request of ["MFQw", "MFQ%2fw%2Bg%3d%3D", "MFQ+w=="]) {
      expect(plainPath(`/sandbox/ocsp/${request}`)).toBe(`/sandbox/ocsp/${request}`);
    }
    for (const other of [
      "MFQ%2f..%2fclock",
      "MFQ%5cw",
      "MFQ%2f/w%2f",
      "%2f%2e%2e",
      "",
      "MFQ%2f\n",
    ]) {
      expect(plainPath(`/sandbox/ocsp/${other}%2f.`)).toBeUndefined();
    }
    expect(plainPath("/sandbox/crl/MFQ%2fw")).toBeUndefined();
    expect(plainPath("/SANDBOX%2focsp/MFQw")).toBeUndefined();
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
