import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ConnectionOptions } from "node:tls";
import { AISP, granted, replyOf, signed } from "@/clients/typescript/src";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { isDefect, refusalOf } from "@/lib/sandbox/defects";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { get, type RawAnswer, sendRaw } from "@/lib/server/testing";
import { consentRequest } from "./harness/consent-request";
import {
  claims,
  expect,
  identity,
  organisation,
  portOf,
  secret,
  smuggled,
  test,
} from "./harness/proxied-bank";
import { expectRefusal } from "./harness/refusals";
import { UNKNOWN_ID } from "./harness/requests";
import { programOf, startProxy, type TlsProxy, tlsProxies } from "./harness/tls-proxies";

/** Asked for without a signature: what is said of it shows whose certificate was seen, if any. */
const path = `${AISP}/consents/${UNKNOWN_ID}`;
const requestId = `X-Request-ID: ${UNKNOWN_ID}`;
/** Out of a body in chunks, too. */
const codeOf = ({ body }: Pick<RawAnswer, "body">) => /"code":"([A-Z_]+)"/.exec(body)?.[1];

/** What ends in the handshake: HAProxy cannot ignore the faults that OpenSSL numbers 32 to 63. */
const unanswered: Readonly<Record<TlsProxy, readonly string[]>> = {
  nginx: [],
  haproxy: ["critical-extension"],
};

for (const proxy of tlsProxies) {
  test.describe(`behind ${proxy}`, () => {
    test.skip(programOf(proxy) === undefined, `${proxy} is not installed`);

    let stop = async () => {};
    test.beforeAll(async ({ bank }) => {
      const directory = join(bank.dataDir, "ca");
      const [file, now] = [join(bank.dataDir, "proxy.pem"), new Date()];
      const authority = await loadCertificateAuthority(directory, now);
      await loadServerCertificate(authority, { file, host: "localhost", now });
      stop = await startProxy(proxy, {
        folder: bank.dataDir,
        port: portOf(bank),
        bankPort: bank.xs2aPort,
        secret,
        certificate: file,
        issuers: join(directory, "ca.pem"),
      });
    });
    test.afterAll(() => stop());

    test("a TPP comes from the consent to the accounts; O7: its token is worth nothing with another certificate", async ({
      bank,
      tpp,
      newTpp,
      authorise,
    }) => {
      const grant = await authorise(tpp);
      const { accounts } = granted(await tpp.bank.accounts(grant, true));
      expect(accounts.length).toBeGreaterThan(0);
      const { issuer, token_endpoint } = grant.asked.server.metadata;
      expect([issuer, token_endpoint]).toEqual([bank.xs2aUrl, `${bank.xs2aUrl}/token`]);
      const renewed = await newTpp({ id: tpp.id });
      expectRefusal(await renewed.bank.accounts(grant), 401, "TOKEN_INVALID");
    });

    test("C2 to C8: what is wrong with a certificate the bank says, and not the proxy", async ({
      bank,
      newTpp,
      faulty,
    }) => {
      for (const [defect, certificates] of Object.entries(faulty)) {
        if (!isDefect(defect) || unanswered[proxy].includes(defect)) continue;
        const tpp = await newTpp({ id: organisation.id, certificates });
        const code = String(refusalOf({ defect, in: "qwac" })?.code);
        expectRefusal(await tpp.bank.consentStatus(UNKNOWN_ID), 401, code);
        expectRefusal(await tpp.bank.createConsent(consentRequest(), tpp), 401, code);
      }
      const answer = await get({ port: portOf(bank), tls: {} }, path);
      expect([answer.status, codeOf(answer)]).toEqual([401, "CERTIFICATE_MISSING"]);
    });

    test("C1: what a caller sends in the proxy's name does not get through", async ({
      bank,
      tpp,
      faulty,
    }) => {
      const port = portOf(bank);
      const seen = async (tls: ConnectionOptions, ...lines: readonly string[]) => {
        const answer = await get({ port, tls }, path, [requestId, ...lines]);
        return answer.status === 400 ? "refused as a whole" : codeOf(answer);
      };
      expect(await seen(identity(tpp.certificates))).toBe("SIGNATURE_MISSING");
      for (const lines of claims(tpp.certificates).flatMap(smuggled)) {
        const [header] = lines;
        const answers = [await seen({}, ...lines), await seen(identity(faulty.expired), ...lines)];
        if (answers[0] === "refused as a whole") expect(answers[1], header).toBe(answers[0]);
        else expect(answers, header).toEqual(["CERTIFICATE_MISSING", "CERTIFICATE_EXPIRED"]);
      }
    });

    test("X13: an address that a caller makes up stands in no link", async ({ bank }) => {
      const where = "/.well-known/oauth-authorization-server";
      const lines = ["Host: evil.example", "X-Forwarded-Host: evil.example", "Connection: close"];
      for (const target of [where, `https://evil.example${where}`]) {
        const head = [`GET ${target} HTTP/1.1`, ...lines].join("\r\n");
        const answer = await sendRaw({ port: portOf(bank), tls: {} }, `${head}\r\n\r\n`);
        expect(answer.body).not.toContain("evil");
        if (target === where) expect(answer.body).toContain(`"issuer":"${bank.xs2aUrl}"`);
      }
    });

    test("X1: what is too large the bank refuses, in the standard's form", async ({
      bank,
      tpp,
    }) => {
      const body = Buffer.alloc(2_000_000, "x");
      const url = `${bank.xs2aUrl}${AISP}/consents`;
      const headers = signed(tpp.seal, body, { "content-type": "application/json" });
      const large = replyOf(await tpp.http.send({ method: "POST", url, headers, body }));
      expectRefusal(large, 413, "PAYLOAD_TOO_LARGE");

      const target = { port: portOf(bank), tls: identity(tpp.certificates) };
      const filled = (size: number) => get(target, path, [requestId, `X-F: ${"x".repeat(size)}`]);
      expect(codeOf(await filled(9_000))).toBe("SIGNATURE_MISSING");
      const long = await filled(20_000);
      expect([long.status, codeOf(long)]).toEqual([431, "FORMAT_ERROR"]);
    });
  });
}

test("C1: the bank's own port believes nobody but the proxy", async ({ bank, faulty }) => {
  const [claim = ""] = claims(faulty["wrong-role"]);
  const asked = (from: string, headers: Readonly<Record<string, string>>) =>
    codeFrom(bank.xs2aPort, from, { "x-request-id": UNKNOWN_ID, ...headers });
  const proof = { "x-proxy-secret": secret };
  expect(await asked("127.0.0.1", { ...proof, "client-cert": claim })).toBe("ROLE_INVALID");
  const others = [
    asked("127.0.0.1", { "client-cert": claim }),
    asked("127.0.0.1", { "client-cert": claim, "x-proxy-secret": secret.slice(1) }),
    // Linux has all of 127.0.0.0/8 for itself; this one is not in PROXY_PEERS.
    asked("127.0.0.2", { ...proof, "client-cert": claim }),
    asked("127.0.0.1", { ...proof, "x-ssl-client-cert": claim }),
  ];
  expect(await Promise.all(others)).toEqual(others.map(() => "CERTIFICATE_MISSING"));
});

/** The code of the answer to a request from this address of the machine, in plain HTTP. */
async function codeFrom(
  port: number,
  localAddress: string,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const sent = request({ host: "127.0.0.1", port, path, localAddress, headers: { ...headers } });
  const [answer] = (await once(sent.end(), "response")) as [IncomingMessage];
  return codeOf({ body: await text(answer) });
}
