import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { IsoDate } from "@/lib/domain/iso-date";
import { redirectUriFault } from "./redirect-uri";

const outside = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: false,
  cursorSecret: "secret",
  redirectDomains: ["tpp.example", "*.other.example"],
};
const sandbox = { ...outside, sandbox: true, redirectDomains: undefined };

describe("TPP-Redirect-URI and TPP-Nok-Redirect-URI", () => {
  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example/cb",
    "https:evil.example",
    "/cb",
    "\\\\evil.example",
    "https://tpp.example\\@evil.example",
    "http://tpp.example/cb",
    "ftp://tpp.example",
    "https://user@tpp.example/cb",
    "https://u:p@tpp.example/",
    "https://tpp.example/cb#fragment",
    "https://tpp.example/cb#",
    "https://tpp.example/c b",
    " https://tpp.example/",
    "https://",
    "",
    "https://tpp.example/\u0000",
    "HTTPS//tpp.example",
    "https://tpp.example:99999/",
  ])("O12: %j is refused, in the sandbox as well", (uri) => {
    expect(redirectUriFault(uri, outside)).toBeDefined();
    expect(redirectUriFault(uri, sandbox)).toBeDefined();
  });

  it.each([
    "https://tpp.example/cb",
    "https://a.tpp.example/cb?x=1",
    "https://b.other.example:8443/",
  ])("%s lies within the certificate's domains", (uri) =>
    expect(redirectUriFault(uri, outside)).toBeUndefined(),
  );

  it.each([
    "https://tpp.example.evil.example/",
    "https://eviltpp.example/",
    "https://evil.example/?tpp.example",
  ])("%s lies outside the certificate's domains", (uri) => {
    expect(redirectUriFault(uri, outside)).toContain("outside the domains");
    expect(redirectUriFault(uri, sandbox)).toBeUndefined();
  });

  it.each(["http://localhost:4000/cb", "http://127.0.0.1:4000/cb", "http://[::1]:4000/cb"])(
    "%s is accepted in the sandbox only",
    (uri) => {
      expect(redirectUriFault(uri, sandbox)).toBeUndefined();
      expect(redirectUriFault(uri, outside)).toBeDefined();
    },
  );
});
