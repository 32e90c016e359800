import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { replaceServices, type Services } from "@/lib/services";
import type { Declaration } from "./endpoint";
import { operations } from "./routes";
import { everyScope, type Scope } from "./scopes";

const customer = "/bank/v1/customers/[customerId]";

/** Which scope opens what: a change of this table is a change of who may do what. */
const table: Readonly<Record<string, Scope>> = {
  [`GET ${customer}/permissions/[kind]`]: "permissions:read",
  [`GET ${customer}/permissions/[kind]/[permissionId]`]: "permissions:read",
  [`GET ${customer}/permissions/[kind]/[permissionId]/accesses`]: "permissions:read",
  [`POST ${customer}/permissions/[kind]/[permissionId]/end`]: "permissions:end",
  [`POST ${customer}/permissions/end`]: "permissions:end",
  [`GET ${customer}/payments`]: "payments:read",
  [`GET ${customer}/opt-outs`]: "permissions:read",
  [`POST ${customer}/opt-outs`]: "opt-outs:write",
  [`POST ${customer}/opt-outs/end`]: "opt-outs:write",
  "GET /bank/v1/events": "events:read",
  "GET /bank/v1/tpps": "tpps:read",
  "GET /bank/v1/tpps/[tppId]": "tpps:read",
  "POST /bank/v1/tpps/[tppId]/block": "tpps:block",
  "POST /bank/v1/tpps/[tppId]/unblock": "tpps:block",
  "POST /bank/v1/tpps/[tppId]/block-requests": "tpps:request",
  "GET /bank/v1/statistics": "statistics:read",
};

const offered = Object.entries(operations).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { answer, declaration }]) => {
    return { call: `${method} ${path}`, answer, declaration };
  }),
);

describe("K1: each operation of the bank API is opened by its scope alone", () => {
  const viewed: unknown[] = [];
  let held: readonly Scope[] = [];
  beforeEach(() => {
    const { ports } = inMemoryBank();
    const services = {
      ...ports,
      events: { record: async (event: unknown) => void viewed.push(event) },
      authenticateBankClient: async () => ({ actor: "api:crm", scopes: held }),
    };
    replaceServices(services as unknown as Services);
  });
  afterEach(() => {
    replaceServices(undefined);
    viewed.length = 0;
  });

  const ask = async ({ answer: run, call }: (typeof offered)[number], scopes: readonly Scope[]) => {
    held = scopes;
    const url = "https://bank.example/bank/v1";
    const [method = "GET"] = call.split(" ");
    const headers = new Headers();
    const answer = await run({ method, url, headers, body: null }, {});
    const { type } = JSON.parse(String(answer.body)) as { readonly type?: string };
    return [answer.status, type?.replace("urn:drawbridge:bank-api:", "")];
  };

  it("the table has all operations, and each one's scope", () => {
    const found = offered.map(({ call, declaration }) => [call, declaration.scope]);
    expect(Object.fromEntries(found)).toEqual(table);
  });

  it.each(offered)("$call", async (one) => {
    const { scope }: Declaration = one.declaration;
    const others = everyScope.filter((other) => other !== scope);
    expect(await ask(one, others)).toEqual([403, "insufficient-scope"]);
    expect(await ask(one, [])).toEqual([403, "insufficient-scope"]);
    expect(viewed).toEqual([]);
    const [status] = await ask(one, [scope]);
    expect(status).not.toBe(403);
  });
});
