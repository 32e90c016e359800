import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
import { wayBack } from "./way-back";

const answer = { state: "s t&a=te#", issuer: "https://bank.example" };
const redirectUri = "https://tpp.example/cb?keep=1";
const failed = (uris: { redirectUri: string; nokRedirectUri?: string }) => ({
  scaStatus: "failed" as ScaStatus,
  wayBack: uris,
});

describe("the way back to the TPP", () => {
  it("P10: leads to the Nok URI when the TPP gave one, with error, state and iss once each", () => {
    const nokRedirectUri = "https://tpp.example/nok?state=old&x=1";
    const url = new URL(wayBack(failed({ redirectUri, nokRedirectUri }), answer));
    expect(url.origin + url.pathname).toBe("https://tpp.example/nok");
    expect([...url.searchParams].sort()).toEqual([
      ["error", "access_denied"],
      ["iss", "https://bank.example"],
      ["state", answer.state],
      ["x", "1"],
    ]);
  });

  it("leads to the redirect URI otherwise, and keeps its query", () => {
    const url = new URL(wayBack(failed({ redirectUri }), answer));
    expect(url.pathname).toBe("/cb");
    expect(url.searchParams.get("keep")).toBe("1");
  });

  it("does not report a PSU who has confirmed as one who refused", () => {
    const url = wayBack({ scaStatus: "finalised", wayBack: { redirectUri } }, answer);
    expect(new URL(url).searchParams.get("error")).toBe("server_error");
  });

  it("O12: whatever state holds, the browser goes to the stored host and path", () => {
    const evil = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "javascript:alert(1)",
        "//evil.example",
        "\\\\evil.example",
        "%0d%0aX: y",
        "@e",
      ),
    );
    fc.assert(
      fc.property(evil, (state) => {
        const url = new URL(wayBack(failed({ redirectUri }), { ...answer, state }));
        expect(url.origin + url.pathname).toBe("https://tpp.example/cb");
        expect(url.searchParams.getAll("state")).toEqual([state]);
        expect(url.href).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//evil.example", "\\\\evil", "tpp:cb", ""])(
    "O12: a stored %j leads nowhere",
    (stored) => {
      expect(() => wayBack(failed({ redirectUri: stored }), answer)).toThrow();
    },
  );
});
