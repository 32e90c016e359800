import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { healthView } from "./health-and-keys";

it("health says of each identity provider whether it answers, over http too", async () => {
  const provider = createServer((_, answer) => answer.end("{}")).listen(0, "127.0.0.1");
  onTestFinished(() => void provider.close());
  await new Promise((done) => provider.once("listening", done));
  const { port } = provider.address() as AddressInfo;
  const answersWith = async (STAFF_IDP_ISSUER: string, STAFF_IDP_CA?: string) => {
    const config = { STAFF_IDP_ISSUER, ...(STAFF_IDP_CA && { STAFF_IDP_CA }) };
    const services = {
      config,
      coreBank: { payment: async () => undefined },
      operations: async () => ({ jobs: [] }),
    };
    return (await healthView({ services: services as never })).answers;
  };
  const here = `http://127.0.0.1:${port}`;
  const database = { database: true, coreBank: true, customers: undefined };
  expect(await answersWith(here)).toEqual({ ...database, staff: true });
  expect(await answersWith("http://127.0.0.1:1")).toEqual({ ...database, staff: false });
  expect(await answersWith(here, "/no/such/file")).toEqual({ ...database, staff: false });
});
