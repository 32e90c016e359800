import { describe, expect, it } from "vitest";
import type { Config } from "@/lib/config";
import { carryOutcome, type Outcome, outcomes, readOutcome } from "./outcome";
import { type QuestionPage, questionPages } from "./pages";
import { seal } from "./session";
import { bankWithConsent, cookieJar, sampleUid } from "./testing/authorisation";

const outcome: Outcome = { outcome: "wrong-credentials", attemptsLeft: 4, userId: "ana" };

const path = `/authorise/${sampleUid}`;

async function carried(which: Outcome = outcome) {
  const { config } = (await bankWithConsent()).services;
  const line = await carryOutcome({ path, config }, which);
  const read = (cookieHeader: string, page: QuestionPage = "login", at = path) =>
    readOutcome({ services: { config }, cookieHeader }, at, page);
  return { config, line, header: line.split(";")[0] ?? "none", read };
}

describe("the outcome of the last answer", () => {
  it("comes back on the page it belongs to", async () => {
    const { header, read } = await carried();
    expect(await read(header)).toMatchObject(outcome);
  });

  it.each(Object.entries(outcomes))("%s is shown nowhere else", async (name, { pages }) => {
    const { header, read } = await carried({ outcome: name as Outcome["outcome"] });
    const where: QuestionPage[] = [];
    for (const page of questionPages) {
      if ((await read(header, page)) !== undefined) where.push(page);
    }
    const possible: readonly string[] = pages;
    expect(where).toEqual(questionPages.filter((page) => possible.includes(page)));
  });

  it("is of this authorisation only, and lasts a minute", async () => {
    const { line, header, read } = await carried();
    expect(line).toMatch(`; Path=/authorise/${sampleUid}; HttpOnly; SameSite=Lax; Max-Age=60`);
    expect(await read(header, "login", "/authorise/other")).toBeUndefined();
  });

  it("is ignored when it is altered, empty, or not sealed by us", async () => {
    const { header, read } = await carried();
    const plain = Buffer.from(JSON.stringify(outcome)).toString("base64url");
    for (const value of [`${header}x`, "drawbridge-outcome=", `drawbridge-outcome=${plain}`, ""]) {
      expect(await read(value)).toBeUndefined();
    }
  });

  it("is ignored when it was sealed for another purpose or with another secret", async () => {
    const { config, ...carrying } = await carried();
    const read = (sealed: string) => carrying.read(`drawbridge-outcome=${sealed}`);
    expect(
      await read(await seal(config.SESSION_SECRET, "psu-session", outcome, 60)),
    ).toBeUndefined();
    const purpose = `outcome ${path}` as const;
    expect(await read(await seal("another secret", purpose, outcome, 60))).toBeUndefined();
    const unknown = { outcome: "all-is-well" };
    expect(await read(await seal(config.SESSION_SECRET, purpose, unknown, 60))).toBeUndefined();
    expect(await read(await seal(config.SESSION_SECRET, purpose, outcome, 60))).toBeDefined();
  });

  it("never holds a password or a code, whatever is put in", async () => {
    const { header, read } = await carried({ ...outcome, password: "secret" } as Outcome);
    expect(Object.keys((await read(header)) ?? {}).sort()).toEqual([
      "attemptsLeft",
      "outcome",
      "userId",
    ]);
  });
});

describe("an outcome in the bank's own channel", () => {
  const config = {
    WEB_URL: "http://localhost:3000",
    SESSION_SECRET: "a-secret-of-thirty-two-characters",
  } as Config;

  it("what came of an answer is said on the page it was given on, and on no other", async () => {
    const path = "/permissions/accounts/one";
    const cookie = await carryOutcome({ path, config }, { outcome: "revoked" });
    const jar = cookieJar("nothing=here");
    jar.keep(new Response(null, { headers: { "set-cookie": cookie } }));
    const visit = () => ({ services: { config }, cookieHeader: jar.header() });
    const read = (from: string) => readOutcome(visit(), from, "permission");
    expect(await read(path)).toEqual({ outcome: "revoked" });
    expect(await read("/permissions/accounts/other")).toBeUndefined();
    expect(await readOutcome(visit(), path, "passkeys")).toBeUndefined();
  });
});
