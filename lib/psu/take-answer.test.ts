import { describe, expect, it } from "vitest";
import { actions } from "./form-token";
import { takeAnswer } from "./take-answer";
import { browser } from "./testing/browser";
import { desk, uid, WEB_URL } from "./testing/desk";

const credentials = [
  ["userId", "ana"],
  ["password", "ana-sandbox"],
] as const;

/** A desk whose page has been looked at, and what would show that something happened. */
async function waiting() {
  const ours = await desk();
  const psu = browser(ours);
  await psu.look();
  return { ours, psu };
}

describe("P2: a form changes nothing", () => {
  const origins: readonly Readonly<Record<string, string>>[] = [
    { "sec-fetch-site": "cross-site", origin: WEB_URL },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${WEB_URL}.evil.example` },
    {},
  ];

  it.each(origins)("when it comes from elsewhere: %j", async (headers) => {
    const { ours, psu } = await waiting();
    const cookie = psu.jar.header();
    for (const action of actions) {
      const response = await psu.send(action, credentials, { headers: { ...headers, cookie } });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`/authorise/${uid}`);
    }
    expect(ours.authorisation()).toMatchObject({ scaStatus: "received", failedAttempts: 0 });
    expect(ours.calls).toEqual([]);
  });

  it("when its token is missing, made up, or another form's", async () => {
    const { ours, psu } = await waiting();
    const other = browser(await desk());
    const view = await other.look();
    const cancelToken = "tokens" in view ? view.tokens.cancel : "none";
    for (const token of ["", "made-up", cancelToken]) {
      await psu.send("login", credentials, { token });
    }
    expect(ours.authorisation()).toMatchObject({ scaStatus: "received", failedAttempts: 0 });
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "stale-form" } });
  });

  it("when its token is that of another interaction", async () => {
    const { ours, psu } = await waiting();
    const first = ours.open.get(uid);
    if (first === undefined) throw new Error("no interaction");
    ours.open.set("other", { ...first, uid: "other" });
    const view = await browser(ours, "other").look();
    const token = "tokens" in view ? view.tokens.login : "none";
    await psu.send("login", credentials, { token });
    expect(ours.authorisation().scaStatus).toBe("received");
  });

  it("when its token was shown to another session", async () => {
    const { ours, psu } = await waiting();
    const before = await psu.look();
    const token = "tokens" in before ? before.tokens.accounts : "none";
    await psu.signIn();
    await psu.send("accounts", [["all", "yes"]], { token });
    expect(ours.authorisation().scaStatus).toBe("psuAuthenticated");
  });

  it("when the browser has no cookie of the interaction", async () => {
    const { ours, psu } = await waiting();
    psu.jar.cookies.clear();
    await psu.send("login", credentials);
    await psu.send("cancel");
    expect(ours.authorisation().scaStatus).toBe("received");
  });

  it("when it is no form, or larger than 64 KiB", async () => {
    const { ours, psu } = await waiting();
    const headers = { cookie: psu.jar.header(), "sec-fetch-site": "same-origin" };
    const post = (body: string, type: string) =>
      takeAnswer(ours.house, {
        request: new Request(`${WEB_URL}/authorise/${uid}/cancel`, {
          method: "POST",
          body,
          headers: { ...headers, "content-type": type },
        }),
        uid,
        action: "cancel",
      });
    const form = "application/x-www-form-urlencoded";
    expect((await post("{}", "application/json")).status).toBe(303);
    expect((await post(`a=${"x".repeat(65_536)}`, form)).headers.getSetCookie()).toEqual([]);
    expect(ours.authorisation().scaStatus).toBe("received");
  });
});

it("P2: a browser without Sec-Fetch-Site is believed when Origin is ours", async () => {
  const { ours, psu } = await waiting();
  const headers = { cookie: psu.jar.header(), origin: WEB_URL };
  await psu.send("login", credentials, { headers });
  expect(ours.authorisation().scaStatus).toBe("psuAuthenticated");
});
