import { expect, it, vi } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import { reject } from "@/lib/domain/rejection";
import { arrivalsBy } from "@/lib/domain/testing/in-memory-arrivals";
import { responseOf } from "./http";
import { runRefusal } from "./pipeline";
import type { Xs2aPorts } from "./ports";
import { own, ports, run } from "./testing/echo";
import { certificatesOf, now, signedRequest } from "./testing/tpp";

/** What it takes to verify a signature. */
const NEEDED = ["signature", "tpp-signature-certificate", "digest"];

/** A signed request, and what has been looked at of all that its signature is verified by. */
function watched(certificates = own, without: readonly string[] = []) {
  const request = signedRequest(certificates, { body: '{"word":"yes"}', without });
  const get = vi.spyOn(request.headers, "get");
  const looked = () => {
    const names = get.mock.calls.map(([name]) => name);
    const headers = NEEDED.filter((name) => names.includes(name));
    return request.bodyUsed || request.body?.locked ? [...headers, "body"] : headers;
  };
  return { request, looked };
}

const find = async (tppId: TppId) => ({ tppId, blockedAt: now, reason: "suspected of fraud" });
const withArrivals = (house: Xs2aPorts) => ({ ...house, arrivals: arrivalsBy(house) });
const houseAt = (time: string) => {
  return withArrivals({ ...ports, clock: { now: async () => new Date(time) } });
};
const blocking = withArrivals({ ...ports, stopList: { ...ports.stopList, find } });
const revoked: Xs2aPorts = { ...ports, revocation: { check: async () => "revoked" } };

it.each<readonly [string, Xs2aPorts]>([
  ["of an unknown issuer", { ...ports, trustAnchors: [] }],
  ["that has expired", houseAt("2046-01-01T00:00:00Z")],
  ["that is not valid yet", houseAt("2016-01-01T00:00:00Z")],
  ["that was revoked", revoked],
  ["of a blocked TPP", blocking],
])("X14: a certificate %s: neither signature nor body is looked at", async (_what, house) => {
  const { request, looked } = watched();
  expect((await run(request, house)).status).toBe(401);
  expect(looked()).toEqual([]);
});

it("X14: no certificate, or none for the role: neither signature nor body is looked at", async () => {
  const none = watched(own, ["client-cert"]);
  expect((await run(none.request)).status).toBe(401);
  const other = watched(await certificatesOf("PSDRO-NBR-7", ["PSP_PI"]));
  expect((await run(other.request)).status).toBe(401);
  expect([...none.looked(), ...other.looked()]).toEqual([]);
});

it("X14: at an address that is not offered nobody's signature is looked at", async () => {
  const { request, looked } = watched();
  const unknown = reject("RESOURCE_UNKNOWN", "nothing");
  expect((await runRefusal(unknown, request, ports)).status).toBe(404);
  expect(looked()).toEqual([]);
});

it("X14: an accepted certificate: all of it is looked at", async () => {
  const { request, looked } = watched();
  expect((await run(request)).status).toBe(200);
  expect(looked()).toEqual([...NEEDED, "body"]);
});

const limited: Xs2aPorts = {
  ...ports,
  tppAllowance: { take: async () => ({ limit: 600, left: 0, resetSeconds: 41 }) },
};

it("X14: beyond its TPP's limit a request is 429 ACCESS_EXCEEDED, and neither signature nor body is looked at", async () => {
  const { request, looked } = watched();
  const answers = [
    await run(request, limited),
    responseOf(await runRefusal(reject("RESOURCE_UNKNOWN", "nothing"), request, limited)),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(429);
    expect(await answer.text()).toContain("ACCESS_EXCEEDED");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "retry-after": "41",
      "ratelimit-limit": "600",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "41",
    });
  }
  expect(looked()).toEqual([]);
});

it("X14: a certificate that is not accepted uses up nothing of the TPP that it names", async () => {
  const take = vi.fn<Xs2aPorts["tppAllowance"]["take"]>(async () => "admitted");
  for (const house of [{ ...ports, trustAnchors: [] }, houseAt("2046-01-01T00:00:00Z"), revoked]) {
    expect((await run(watched().request, { ...house, tppAllowance: { take } })).status).toBe(401);
  }
  expect(take).not.toHaveBeenCalled();
  const counted = { ...ports, tppAllowance: { take } };
  await run(watched().request, counted);
  expect(take.mock.calls).toEqual([["PSDRO-NBR-1234567", now]]);
});
