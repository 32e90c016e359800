import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ownCertificates } from "@/cli/tpp/certificates";
import { http, text } from "@/clients/typescript/src";
import { completeConfig, readSettings } from "@/lib/config";
import { addTime } from "@/lib/domain/values";
import { presentedQwac } from "@/lib/eidas/client-certificate";
import { readAnchors } from "@/lib/eidas/trusted-list";
import { fileDatabase } from "@/lib/postgres/testing";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { nextKeys } from "@/lib/sandbox/testing";
import { fromTls } from "./client-certificate";
import { brokenTppRequest } from "./fault-answer";
import { prepare } from "./prepare";
import { echo, openHost, temporaryFolder } from "./testing";
import { tlsOf } from "./tls";
import { tppHost } from "./tpp-host";

const database = await fileDatabase();

/** What `npm start` and `npm run tpp` leave behind. */
async function folderOf(then: Date): Promise<string> {
  const dataDir = await temporaryFolder();
  await mkdir(dataDir, { recursive: true });
  const authority = await loadCertificateAuthority(path.join(dataDir, "ca"), then);
  const file = path.join(dataDir, "tls.pem");
  await loadServerCertificate(authority, { file, host: "localhost", now: then });
  await ownCertificates(dataDir, then, { makeKeys: nextKeys });
  return dataDir;
}

it.each([
  ["the TLS certificate has ended", 400],
  ["the TPP's own certificates have ended as well", 3 * 365],
  ["the CA is near its end", 9 * 365],
  ["the CA has ended", 11 * 365],
  ["the CA has ended long ago", 25 * 365],
])("a data folder never dies of an expired certificate: %s", async (_what, days) => {
  const now = new Date();
  const dataDir = await folderOf(addTime(now, -days, "day"));
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MIGRATION_DATABASE_URL: database.ownerUrl,
  };
  const environment = await prepare(readSettings(env));
  const tls = (await tlsOf(readSettings({ ...env, ...environment }), now))?.tls;
  const handle = tppHost(echo, fromTls());
  const port = await openHost({ handle, tls, broken: brokenTppRequest });

  const own = await ownCertificates(dataDir, now, { makeKeys: nextKeys });
  // It verifies the bank's certificate, as every TPP does.
  const connection = http({ ca: own.ca, certificate: own.qwac });
  onTestFinished(() => connection.close());
  const url = `https://localhost:${port}/jwks`;
  const { status, body } = await connection.send({ method: "GET", url, headers: {} });
  expect(status).toBe(200);

  const { TRUST_ANCHORS } = completeConfig(readSettings({ ...env, ...environment }));
  const anchors = await readFile(TRUST_ANCHORS, "utf8");
  const presented: string = JSON.parse(text(body)).headers["client-cert"];
  const trusted = readAnchors({ text: anchors, listSignersPem: undefined, now });
  expect(presentedQwac(presented, trusted, now).tpp.id).toBe("PSDRO-NBR-1234567");
});
