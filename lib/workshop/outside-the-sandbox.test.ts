import { expect, it, vi } from "vitest";
import { explainAction, mintAction } from "@/app/(sandbox)/sandbox/workshop/actions";
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
  await expect(mintAction(undefined, form)).rejects.toMatchObject(notFound);
});
