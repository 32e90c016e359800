import type { Role } from "@/cli/tpp/certificates";
import { CBPII, http, replyOf, signed } from "@/clients/typescript/src";
import {
  FUNDS_CONFIRMATIONS,
  FUNDS_CONSENTS,
  fundsEndpoints,
  fundsRequest,
} from "../harness/funds";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID, without } from "../harness/requests";
import { expect, test } from "../harness/test";

const body = (method: string) => (method === "POST" ? { body: fundsRequest() } : {});

for (const { method, path } of fundsEndpoints()) {
  test(`C2: without a client certificate ${method} ${path} is 401 CERTIFICATE_MISSING`, async ({
    tpp,
    bank,
    observe,
  }) => {
    const unidentified = http({ ca: tpp.certificates.ca, onExchange: observe });
    const headers = signed(tpp.seal, new Uint8Array(), { authorization: "Bearer x" });
    const request = { method, url: `${bank.xs2aUrl}${path}`, headers };
    expectRefusal(replyOf(await unidentified.send(request)), 401, "CERTIFICATE_MISSING");
    await unidentified.close();
  });

  test(`S1: without Signature ${method} ${path} is 401 SIGNATURE_MISSING`, async ({ tpp }) => {
    const edit = without("signature");
    const reply = await tpp.bank.call(method, path, { ...body(method), edit });
    expectRefusal(reply, 401, "SIGNATURE_MISSING");
  });
}

const others: readonly (readonly Role[])[] = [
  ["PSP_AI"],
  ["PSP_PI"],
  ["PSP_AS"],
  ["PSP_AI", "PSP_PI", "PSP_AS"],
];
for (const roles of others) {
  test(`C7: the roles ${roles.join(", ")} open none of the paths: 401 ROLE_INVALID`, async ({
    newTpp,
  }) => {
    const tpp = await newTpp({ roles });
    for (const { method, path } of fundsEndpoints()) {
      const reply = await tpp.bank.call(method, path, body(method));
      expectRefusal(reply, 401, "ROLE_INVALID");
    }
  });
}

test("C7: the role PSP_IC alone opens them all", async ({ newTpp }) => {
  const tpp = await newTpp({ roles: ["PSP_IC"] });
  expect((await tpp.bank.createFundsConsent(fundsRequest(), tpp)).status).toBe(201);
  for (const { method, path } of fundsEndpoints().slice(1)) {
    const reply = await tpp.bank.call(method, path, body(method));
    expect([400, 403]).toContain(reply.status);
  }
});

const offered: readonly (readonly [path: string, methods: readonly string[]])[] = [
  [FUNDS_CONSENTS, ["POST"]],
  [`${FUNDS_CONSENTS}/${UNKNOWN_ID}`, ["GET", "DELETE"]],
  [`${FUNDS_CONSENTS}/${UNKNOWN_ID}/status`, ["GET"]],
  [`${FUNDS_CONSENTS}/${UNKNOWN_ID}/authorisations`, ["GET"]],
  [`${FUNDS_CONSENTS}/${UNKNOWN_ID}/authorisations/${UNKNOWN_ID}`, ["GET"]],
  [FUNDS_CONFIRMATIONS, ["POST"]],
];
for (const [path, methods] of offered) {
  test(`405 SERVICE_INVALID with Allow for every other method: ${path}`, async ({ tpp }) => {
    const all = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    for (const method of all.filter((name) => !methods.includes(name))) {
      const reply = await tpp.bank.call(method, path);
      expectRefusal(reply, 405, "SERVICE_INVALID");
      expect(String(reply.headers["allow"]).split(", ")).toEqual(methods);
    }
  });
}

test("404 RESOURCE_UNKNOWN for what is not there, never an HTML page", async ({ tpp }) => {
  const paths = [
    CBPII,
    `${CBPII}/v1/consents/confirmation-of-funds`,
    `${CBPII}/v2/funds-confirmations`,
    `${CBPII}/v2/consents`,
    `${FUNDS_CONSENTS}/${UNKNOWN_ID}/x`,
  ];
  for (const path of paths) {
    const reply = await tpp.bank.call("GET", path);
    expectRefusal(reply, 404, "RESOURCE_UNKNOWN");
    expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  }
});

test("C14: the TPP's paths are 404 on the browser host", async ({ bank, request }) => {
  for (const path of [FUNDS_CONSENTS, FUNDS_CONFIRMATIONS]) {
    const answer = await request.post(`${bank.webUrl}${path}`, { data: {} });
    expect(answer.status()).toBe(404);
  }
});
