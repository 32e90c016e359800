import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { IsoDate } from "@/lib/domain/iso-date";
import { redirectUriFault } from "@/lib/xs2a/wire/redirect-uri";
import { wayBack } from "./way-back";

const issuer = "https://bank.example";
const back = (redirectUri: string, state: string) =>
  wayBack({ scaStatus: "failed", wayBack: { redirectUri } }, { state, issuer });
const circumstances = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: true,
  cursorSecret: "secret",
  redirectDomains: undefined,
};
const LINE = "Set-Cookie: session=stolen";

describe("a line break never gets from a TPP into a header of ours", () => {
  it.each(["\r\n", "\n", "\r", "\u0000", "\u0085", "\u2028", "\t"])(
    "S11: %j in TPP-Redirect-URI is refused",
    (sign) => {
      const uri = `https://tpp.example/cb${sign}${LINE}`;
      expect(redirectUriFault(uri, circumstances)).toBe("is not an absolute https URI");
    },
  );

  it.each(["%0d%0a", "%0D%0A", "%0a", "%E5%98%8A%E5%98%8D"])(
    "S11: %s in TPP-Redirect-URI stays as it is written",
    (sign) => {
      const location = back(`https://tpp.example/cb?x=${sign}${encodeURIComponent(LINE)}`, "s");
      expect(location).toMatch(/^https:\/\/tpp\.example\/cb\?[!-~]+$/);
      expect([...new Headers({ location }).keys()]).toEqual(["location"]);
    },
  );

  it.each([`\r\n${LINE}`, `\n${LINE}`, `%0d%0a${LINE}`, `\u560a${LINE}`])(
    "S11: state %j goes back encoded, and whole",
    (state) => {
      const location = back("https://tpp.example/cb", state);
      expect(location).toMatch(/^[!-~]+$/);
      expect(new URL(location).searchParams.get("state")).toBe(state);
    },
  );
});
