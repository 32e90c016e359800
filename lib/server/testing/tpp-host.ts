import { expect } from "vitest";
import { brokenTppRequest } from "../client-errors";
import { type ClientCertificate, type Handler, tppHost } from "../tpp-host";
import { openHost } from "./host";
import type { RawAnswer } from "./raw-request";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The TPP host over plain HTTP, with an application and a client certificate of the test's choice. */
export async function openTppHost(
  handle: Handler,
  certificate: ClientCertificate = () => undefined,
): Promise<{ readonly port: number }> {
  const broken = brokenTppRequest;
  return { port: await openHost({ handle: tppHost(handle, certificate), broken }) };
}

/** Holds an answer against the standard's form of a refusal. */
export function expectFault(answer: RawAnswer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("x-request-id")).toMatch(uuid);
  expect(answer.headers.get("x-fapi-interaction-id")).toMatch(uuid);
  const text = expect.stringMatching(/.+/);
  expect(JSON.parse(answer.body)).toEqual({ tppMessages: [{ category: "ERROR", code, text }] });
}
