import { expect, it } from "vitest";
import type { Config } from "@/lib/config";
import { cookieJar } from "../testing/cookie-jar";
import { carryOwnOutcome, readOwnOutcome } from "./outcome";

const config = {
  WEB_URL: "http://localhost:3000",
  SESSION_SECRET: "a-secret-of-thirty-two-characters",
} as Config;

it("what came of an answer is said on the page it was given on, and on no other", async () => {
  const path = "/permissions/accounts/one";
  const cookie = await carryOwnOutcome({ path, config }, { outcome: "revoked" });
  const jar = cookieJar("nothing=here");
  jar.keep(new Response(null, { headers: { "set-cookie": cookie } }));
  const read = (from: string) => readOwnOutcome({ path: from, config }, jar.header(), "permission");
  expect(await read(path)).toEqual({ outcome: "revoked" });
  expect(await read("/permissions/accounts/other")).toBeUndefined();
  expect(await readOwnOutcome({ path, config }, jar.header(), "passkeys")).toBeUndefined();
});
