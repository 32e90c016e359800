import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { issueSandboxCertificates } from "@/lib/sandbox/certificate-issuing";
import { explain } from "@/lib/workshop/explain";
import { refusalIn } from "@/lib/workshop/step";
import { presentedBy } from "@/lib/workshop/testing";
import { own } from "@/lib/xs2a/testing/requests";
import { now } from "@/lib/xs2a/testing/tpp";
import { sandboxContext } from "./sandbox-context";

describe("what npm run tpp -- explain validates with", () => {
  const organisation = { id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"], now } as const;
  const request = "GET /open-banking/v3.1/aisp/v1/accounts HTTP/1.1\n\n";

  let dataDir: string;
  let revoked: Uint8Array;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "drawbridge-means-"));
    const directory = join(dataDir, "ca");
    const authority = await loadCertificateAuthority(directory, now);
    const defective = { defect: "revoked", in: "qwac" } as const;
    const made = await issueSandboxCertificates({ authority, directory }, organisation, defective);
    revoked = new X509Certificate(made.qwacPem).raw;
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  const answerTo = async (qwac: Uint8Array, trustAnchors?: string) =>
    refusalIn(
      await explain(
        presentedBy(request, qwac),
        await sandboxContext({ dataDir, trustAnchors, now }),
      ),
    )?.code;

  it("C5: a data folder knows what its CA has revoked", async () => {
    expect(await answerTo(revoked)).toBe("CERTIFICATE_REVOKED");
  });

  it("the trust anchors are in the folder, unless a setting names another file", async () => {
    const stranger = new X509Certificate(own.qwacPem).raw;
    expect(await answerTo(stranger)).toBe("CERTIFICATE_INVALID");
    const file = join(dataDir, "others.pem");
    await writeFile(file, own.caPem);
    // Believed, it comes as far as the missing X-Request-ID.
    expect(await answerTo(stranger, file)).toBe("FORMAT_ERROR");
  });

  it("a folder without a CA is reported", async () => {
    await expect(sandboxContext({ dataDir: join(dataDir, "nowhere"), now })).rejects.toThrow(
      "ENOENT",
    );
  });
});
