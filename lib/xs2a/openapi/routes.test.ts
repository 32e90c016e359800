import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { routes } from "@/app/(xs2a)/routes";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import type { HttpAnswer } from "../http";
import { paymentOf } from "../testing/requests";
import { certificatesOf, portsOf, signedRequest } from "../testing/tpp";
import { pathInStandard } from "./operation";
import { operations } from "./testing";

vi.mock("@/lib/services", () => ({ services: () => ports }));

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = "app/(xs2a)/";

/** The folders that have a route, without those that answer for whatever is not there. */
const files = readdirSync(join(ROOT, FOLDER, "open-banking"), { recursive: true })
  .map((name) => `open-banking/${String(name)}`)
  .filter((name) => name.endsWith("/route.ts") && !name.includes("[..."));

describe("the table of routes", () => {
  it("has every route folder, under its path", () => {
    const paths = files.map(pathOf);
    expect(Object.keys(routes).toSorted()).toEqual(paths.toSorted());
    expect(paths.length).toBeGreaterThan(9);
  });

  it.each(files)("has the handlers of %s", async (file) => {
    const route = (await import(join(ROOT, FOLDER, file))) as Readonly<Record<string, unknown>>;
    expect({ ...routes[pathOf(file)] }).toEqual({ ...route });
  });
});

describe("every method of every path", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

  it.each(Object.keys(routes))("%s: Allow is what the description has and grants", async (path) => {
    const described = operations.filter((one) => one.path === pathInStandard(path));
    const granting = described
      .filter(({ responses }) => Object.keys(responses).some((status) => status < "300"))
      .map(({ method }) => method.toUpperCase());
    for (const method of methods) {
      const { status, headers } = await answerOf(path, method);
      const refused = granting.includes(method) ? undefined : granting.toSorted().join(", ");
      expect([method, status === 405]).toEqual([method, refused !== undefined]);
      expect([method, headers["allow"]?.split(", ").toSorted().join(", ")]).toEqual([
        method,
        refused,
      ]);
    }
    expect(granting.length).toBeGreaterThan(0);
  });

  it("a payment's DELETE is described with the refusal that it always gets", async () => {
    const path = Object.keys(routes).find((one) => one.endsWith("/{paymentId}"));
    const { status, body } = await answerOf(String(path), "DELETE");
    expect([status, String(body)]).toEqual([405, expect.stringContaining("CANCELLATION_INVALID")]);
    const cancel = operations.find(({ operationId }) => operationId === "cancelPayment");
    expect(cancel?.responses["405"]?.description).toContain("CANCELLATION_INVALID");
  });
});

describe("a malformed id in the path", () => {
  const withIds = Object.keys(routes).filter((path) => /\{\w+Id\}/.test(path));

  it.each(withIds)("%s: is answered like an unknown id", async (path) => {
    const names = [...path.matchAll(/\{(\w+Id)\}/g)].map(([, name]) => String(name));
    const methods = operations.filter((one) => one.path === pathInStandard(path));
    for (const { method, responses } of methods) {
      for (const name of names) {
        const ask = (id: string) => answerOf(path, method.toUpperCase(), { [name]: id });
        const unknown = await ask(crypto.randomUUID());
        for (const id of ["\0", "a\nb", "a/b", "..", "%zz", "", "\u{10ffff}", "x".repeat(2_000)]) {
          const { status, body } = await ask(id);
          expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body });
        }
        expect(Object.keys(responses)).toContain(String(unknown.status));
      }
    }
  });
});

const all = await certificatesOf("PSDRO-NBR-1234567", ["PSP_AI", "PSP_PI", "PSP_IC"]);
const { bank, ports: inMemory } = inMemoryBank();
const ports = { ...(await portsOf()), ...inMemory };
const payment = paymentOf();
bank.payments.set(payment.id, payment);
const nobodys = ["consentId", "accountId", "transactionId", "authorisationId"].map((name) => [
  name,
  crypto.randomUUID(),
]);
const known = {
  ...Object.fromEntries(nobodys),
  paymentService: "payments",
  paymentProduct: payment.order.product,
  paymentId: payment.id,
};

/** As a TPP of all roles gets it. */
async function answerOf(path: string, method: string, ids = {}): Promise<HttpAnswer> {
  const handler = routes[path]?.[method as "GET"];
  if (handler === undefined) throw new Error(`there is no ${path}`);
  const sent = method === "POST" ? { body: "{}" } : {};
  const request = signedRequest(all, { method, ...sent });
  return handler.answer(request, { ...known, ...ids });
}

function pathOf(file: string): string {
  return `/${file.replace(/\/route\.ts$/, "").replace(/\[(\w+)\]/g, "{$1}")}`;
}
