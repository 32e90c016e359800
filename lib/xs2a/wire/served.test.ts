import { describe, expect, it } from "vitest";
import { readBalances } from "@/lib/domain/account-access/read-balances";
import { opened } from "@/lib/domain/testing/access";
import { accessOf } from "../access";
import { endpoint } from "../endpoint";
import { openApi } from "../openapi/document";
import { bank } from "../openapi/testing/described";
import { resource } from "../resource";
import { certificatesOf, portsOf, signedRequest } from "../testing/tpp";
import { tokenRule } from "../token-rule";
import { balancesRead } from "./account";
import { accessHeaders } from "./headers";
import { noBody, noPath, noQuery } from "./path";
import { served } from "./served";

const own = await certificatesOf();

/** The balances of one account, with the answer's headers as the TPP gets them. */
async function balances(budget: number, headers: Readonly<Record<string, string>> = {}) {
  const house = await opened();
  house.bank.budget = budget;
  const read = endpoint({
    operationId: "read",
    summary: "Read",
    role: "PSP_AI",
    token: tokenRule({ bearer: "none" }, async () => ({ consent: house.consent })),
    headers: accessHeaders,
    path: noPath,
    query: noQuery,
    body: noBody,
    refuses: {},
    handle: (call, ports) => readBalances(ports, accessOf(call, ports), house.resourceId),
    reply: served(balancesRead),
  });
  const request = signedRequest(own, { headers: { "consent-id": "1", ...headers } });
  const answer = await read(request, {}, { ...(await portsOf()), ...house.ports });
  const told = [...Object.keys(served(balancesRead).answers.headers ?? {}), "Retry-After"];
  const { paths } = openApi({ "/read": resource({ GET: read }) }, bank);
  const documented = Object.keys(paths["/read"]?.get?.responses[answer.status]?.headers ?? {});
  const sent = told.filter((name) => answer.headers[name.toLowerCase()] !== undefined);
  expect(documented).toEqual(expect.arrayContaining(sent));
  return [answer.status, ...told.map((name) => answer.headers[name.toLowerCase()] ?? null)];
}

describe("each answer of an unattended access tells the rest of its budget", () => {
  it("in RateLimit-Limit, RateLimit-Remaining and, in seconds, RateLimit-Reset", async () => {
    expect(await balances(4)).toEqual([200, "4", "3", "91", null, null]);
    expect(await balances(1)).toEqual([200, "4", "0", "91", null, null]);
  });

  it("and when it is refused with 429, Retry-After as well", async () => {
    expect(await balances(0)).toEqual([429, "4", "0", "91", null, "91"]);
  });

  it("but an attended access takes nothing and tells nothing", async () => {
    const attended = { "psu-ip-address": "198.51.100.7" };
    expect(await balances(0, attended)).toEqual([200, null, null, null, null, null]);
  });

  it("B4: and why it is none of the PSU's, where an address was named that no PSU can have", async () => {
    const unspecified = { "psu-ip-address": "0.0.0.0" };
    expect(await balances(4, unspecified)).toEqual([200, "4", "3", "91", "reserved", null]);
    expect(await balances(0, unspecified)).toEqual([429, "4", "0", "91", "reserved", "91"]);
  });
});
