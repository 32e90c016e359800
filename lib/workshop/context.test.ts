import { describe, expect, it } from "vitest";
import { isOpenTo } from "./context";

describe("the workshop is open", () => {
  const WEB_URL = "http://localhost:3000";
  const own = new Headers({ origin: WEB_URL, "sec-fetch-site": "same-origin" });

  it("the workshop takes a form of its own page", () => {
    expect(isOpenTo(own, { SANDBOX: true, WEB_URL })).toBe(true);
  });

  it("X11: outside the sandbox there is no workshop", () => {
    expect(isOpenTo(own, { SANDBOX: false, WEB_URL })).toBe(false);
  });

  it.each([{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }])(
    "a form of another origin's page is not taken: %j",
    (headers) => {
      expect(isOpenTo(new Headers(headers), { SANDBOX: true, WEB_URL })).toBe(false);
    },
  );
});
