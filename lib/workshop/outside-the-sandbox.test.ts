import { expect, it, vi } from "vitest";
import MagicValuesPage from "@/app/(sandbox)/sandbox/magic-values/page";
import { callAction } from "@/app/(sandbox)/sandbox/namespace/actions";
import NamespacePage from "@/app/(sandbox)/sandbox/namespace/page";
import { POST as again } from "@/app/(sandbox)/sandbox/tpp/again/route";
import { GET as callback } from "@/app/(sandbox)/sandbox/tpp/callback/route";
import ExchangePage from "@/app/(sandbox)/sandbox/tpp/exchanges/[number]/page";
import DemoTppPage from "@/app/(sandbox)/sandbox/tpp/page";
import { POST as start } from "@/app/(sandbox)/sandbox/tpp/start/route";
import { explainAction, issueAction } from "@/app/(sandbox)/sandbox/workshop/actions";
import WorkshopPage from "@/app/(sandbox)/sandbox/workshop/page";

const WEB_URL = "https://bank.example";
const own = new Headers({ origin: "https://bank.example", "sec-fetch-site": "same-origin" });
vi.mock("@/lib/services", () => ({ services: () => ({ config: { SANDBOX: false, WEB_URL } }) }));
vi.mock("next/headers", () => ({ headers: async () => own }));

/** How Next is told to answer 404. */
const notFound = { digest: "NEXT_HTTP_ERROR_FALLBACK;404" };

it("X11: outside the sandbox the workshop's page is not there", () => {
  expect(() => WorkshopPage()).toThrow(expect.objectContaining(notFound));
});

it("X11: outside the sandbox nothing is explained, and no certificate is made", async () => {
  const form = new FormData();
  form.set("request", "GET /a HTTP/1.1");
  await expect(explainAction(undefined, form)).rejects.toMatchObject(notFound);
  await expect(issueAction(undefined, form)).rejects.toMatchObject(notFound);
});

it("X11: outside the sandbox there is no demo TPP", async () => {
  await expect(DemoTppPage()).rejects.toMatchObject(notFound);
  const params = Promise.resolve({ number: "1" });
  await expect(ExchangePage({ params })).rejects.toMatchObject(notFound);
  const form = { method: "POST", headers: own, body: "kind=accounts" };
  for (const serve of [start, again]) {
    expect((await serve(new Request(`${WEB_URL}/sandbox/tpp/start`, form))).status).toBe(404);
  }
  const back = new Request(`${WEB_URL}/sandbox/tpp/callback?code=a&state=b`);
  expect((await callback(back)).status).toBe(404);
});

it("X11: outside the sandbox no namespace is shown or changed by a form, and there are no magic values", async () => {
  const searchParams = Promise.resolve({});
  await expect(NamespacePage({ searchParams })).rejects.toMatchObject(notFound);
  expect(() => MagicValuesPage()).toThrow(expect.objectContaining(notFound));
  const form = new FormData();
  form.set("operation", "reset");
  await expect(callAction(undefined, form)).rejects.toMatchObject(notFound);
});
