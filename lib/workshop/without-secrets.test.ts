import { describe, expect, it } from "vitest";
import { isHidden, withoutSecrets } from "./without-secrets";

describe("a request that is shown again tells no secret", () => {
  it.each([
    ["Authorization: Bearer ey.J.x", "Authorization: Bearer (hidden)"],
    ["> authorization:ey.J.x and more", "> authorization:(hidden)"],
    ["Proxy-Authorization: Basic YTpi", "Proxy-Authorization: Basic (hidden)"],
    ["Cookie: a=b; c=d", "Cookie: (hidden)"],
    ["GET /a?x=1&access_token=ey.J HTTP/1.1", "GET /a?x=1&access_token=(hidden) HTTP/1.1"],
    [
      "grant_type=refresh_token&refresh_token=abc&client_id=PSDRO-NBR-1",
      "grant_type=refresh_token&refresh_token=(hidden)&client_id=PSDRO-NBR-1",
    ],
    ["code=abc&code_verifier=def", "code=(hidden)&code_verifier=(hidden)"],
  ])("%s", (text, shown) => {
    expect(withoutSecrets(`GET /\r\n${text}\r\n\r\n`)).toBe(`GET /\r\n${shown}\r\n\r\n`);
    expect(withoutSecrets(shown)).toBe(shown);
  });

  it("and all the rest as it was", () => {
    const text = 'POST /a?dateFrom=2027-01-01\nDigest: SHA-256=x\nX-Code: 1\n\n{"code": "12"}';
    expect(withoutSecrets(text)).toBe(text);
  });

  it("which shows when it is pasted again", () => {
    expect(isHidden("Bearer (hidden)")).toBe(true);
    expect([isHidden("Bearer ey.J"), isHidden(null)]).toEqual([false, false]);
  });
});
