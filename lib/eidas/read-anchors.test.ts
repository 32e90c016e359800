import { beforeAll, expect, it } from "vitest";
import { authorityParts } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { makeRsaKeys, privateKeyPem } from "@/lib/sandbox/key-pairs";
import { readAnchors } from "./read-anchors";
import { type Issuing, issueDer, now, pem, startIssuing } from "./testing/issuing";
import { listXml, signedList } from "./testing/trusted-list";

let issuing: Issuing;
let xml: string;
let listSignersPem: string;
beforeAll(async () => {
  issuing = await startIssuing();
  const keys = await makeRsaKeys();
  const name = distinguishedName(["CN", "Scheme operator"]);
  listSignersPem = pem(await issueDer({ name, keys }, authorityParts(name, keys, now)));
  const certificate = issuing.anchors[0]?.x509.raw ?? Buffer.of();
  xml = signedList(listXml({ services: [{ certificate }] }), {
    key: await privateKeyPem(keys.privateKey),
  });
});

const read = (text: string) => readAnchors({ text, listSignersPem, now });

it("C4: a file of issuers is PEM or a trusted list, with a byte order mark or without", () => {
  const issuer = issuing.anchors[0]?.thumbprint;
  for (const text of [issuing.authority.certificatePem, xml, `\uFEFF${xml}`]) {
    expect(read(text).map(({ thumbprint }) => thumbprint)).toEqual([issuer]);
  }
});

it("C4: a trusted list is believed only when it is told who may have signed it", () => {
  const asked = () => readAnchors({ text: xml, listSignersPem: undefined, now });
  expect(asked).toThrow("a trusted list is believed only with TRUSTED_LIST_SIGNERS");
});

it("X5: a trusted list in UTF-16, or that is none, says why it is not read", () => {
  const misread = Buffer.from(`\uFEFF${xml}`, "utf16le").toString("utf8");
  expect(() => read(misread)).toThrow("trust anchors: there is no PEM certificate");
  expect(() => read("<a/>")).toThrow("the trusted list has not exactly one signature");
});
