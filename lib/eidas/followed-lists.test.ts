import { beforeAll, describe, expect, it } from "vitest";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { distinguishedName, privateKeyPem } from "@/lib/sandbox/x509";
import { followLists } from "./followed-lists";
import { issueDer, listXml, now, pem, signedList, startIssuing } from "./testing/issuing";
import { readTrustedCertificate } from "./trust";
import { type FollowedLists, type ListPointer, readAnchorFile } from "./trusted-list";

type Signer = { readonly key: string; readonly der: Uint8Array };
let union: Signer;
let romania: Signer;
let spain: Signer;
let issuer: Uint8Array;
beforeAll(async () => {
  const anchor = makeCertificateAuthority(now);
  [union, romania, spain] = await Promise.all([signer("EU"), signer("RO"), signer("ES")]);
  issuer = derOf((await anchor).certificatePem);
});

async function signer(commonName: string): Promise<Signer> {
  const keys = await nextKeys();
  const name = distinguishedName(["CN", commonName]);
  const der = await issueDer({ name, keys }, authorityParts(name, keys, now));
  return { key: await privateKeyPem(keys.privateKey), der };
}

const derOf = (text: string) =>
  new Uint8Array(Buffer.from(text.replace(/-----[A-Z ]+-----/g, ""), "base64"));
const base64 = (der: Uint8Array) => Buffer.from(der).toString("base64");

const LOTL = "http://lists.example/lotl.xml";
const urlOf = (territory: string) => `http://lists.example/${territory}.xml`;
const pointer = (territory: string, { der }: Signer): ListPointer => {
  return { territory, url: urlOf(territory), signers: [base64(der)] };
};
const lotl = (by: Signer, more: Partial<Parameters<typeof listXml>[0]> = {}) =>
  signedList(
    listXml({
      ...{ services: [], pointers: [pointer("RO", romania), pointer("ES", spain)] },
      ...more,
    }),
    { key: by.key },
  );
const list = (territory: string, by: Signer, more: Partial<Parameters<typeof listXml>[0]> = {}) =>
  signedList(listXml({ services: [{ certificate: issuer }], territory, ...more }), { key: by.key });

type Published = Readonly<Record<string, string>>;
const published = (more: Published = {}): Published => ({
  [LOTL]: lotl(union),
  [urlOf("RO")]: list("RO", romania),
  [urlOf("ES")]: list("ES", spain),
  ...more,
});

function follow(at: Published, known?: FollowedLists, on = now) {
  const fetchText = async (url: string) => {
    const text = at[url];
    if (text === undefined) throw new Error("connect ECONNREFUSED");
    return text;
  };
  return followLists({ fetchText, url: LOTL, signersPem: pem(union.der), known, now: on });
}

/** Whose issuers are believed. */
const territories = ({ lists }: { readonly lists: FollowedLists | undefined }) =>
  lists?.lists.map(({ territory }) => territory);

describe("the Union's list of lists is followed", () => {
  it("to the list of each territory, of which the granted issuers are trusted for what they are granted", async () => {
    const found = await follow(published());
    expect([found.faults, found.checked]).toEqual([[], ["EU", "RO", "ES"]]);
    const { anchors, nextUpdate } = readAnchorFile({
      ...{ text: JSON.stringify(found.lists), listSignersPem: undefined, now },
    });
    expect(anchors.map(({ x509, issues }) => [base64(x509.raw), issues])).toEqual([
      [base64(issuer), ["web", "eseal"]],
      [base64(issuer), ["web", "eseal"]],
    ]);
    expect(nextUpdate).toEqual(new Date("2027-06-01T00:00:00Z"));
  });

  it("an issuer with a key that is not accepted is named, and the others of its list are trusted", async () => {
    const services = [{ certificate: new Uint8Array([1, 2]) }, { certificate: issuer }];
    const found = await follow(published({ [urlOf("ES")]: list("ES", spain, { services }) }));
    expect([territories(found), found.unfit.map(({ territory }) => territory)]).toEqual([
      ["RO", "ES"],
      ["ES"],
    ]);
  });
});

describe("X5: what is not signed by whom the list of lists pins is not believed", () => {
  it.each<readonly [string, () => Published, readonly string[] | undefined, string]>([
    [
      "a list signed by another territory's operator",
      () => ({ [urlOf("ES")]: list("ES", romania) }),
      ["RO"],
      "ES: the list is not signed by any",
    ],
    [
      "the list of another territory",
      () => ({ [urlOf("ES")]: list("RO", spain) }),
      ["RO"],
      "ES: the list is that of RO",
    ],
    [
      "a list that is out of date",
      () => ({ [urlOf("ES")]: list("ES", spain, { nextUpdate: now.toISOString() }) }),
      ["RO"],
      "ES: the list is out of date",
    ],
    [
      "a list of lists signed by a territory's operator",
      () => ({ [LOTL]: lotl(romania) }),
      undefined,
      "EU: the list is not signed by any",
    ],
    [
      "a territory's list in the place of the list of lists",
      () => ({ [LOTL]: list("RO", union) }),
      undefined,
      "EU: the list is no list of lists",
    ],
    [
      "a list of lists that cannot be had",
      () => ({ [LOTL]: "" }),
      undefined,
      "EU: the list is not well-formed",
    ],
  ])("%s", async (_what, more, believed, fault) => {
    const found = await follow(published(more()));
    expect(territories(found)).toEqual(believed);
    expect(found.faults.map(({ territory, reason }) => `${territory}: ${reason}`)).toEqual([
      expect.stringContaining(fault),
    ]);
  });
});

describe("what is known of the lists", () => {
  it("stays while they cannot be had, and ends with their next update", async () => {
    const { lists: known } = await follow(published());
    const away = await follow({}, known);
    expect([territories(away), away.checked]).toEqual([["RO", "ES"], []]);
    expect(away.faults).toHaveLength(3);
    expect(territories(await follow({}, known, new Date("2027-06-02")))).toEqual([]);
  });

  it("X5: is not believed after its end by a server that has read no newer one", async () => {
    const issuing = await startIssuing();
    const certificate = base64(derOf(issuing.authority.certificatePem));
    const edition = { sequence: 7, nextUpdate: "2027-06-01T00:00:00Z" };
    const lists = [{ ...edition, territory: "RO", issuers: [{ certificate, issues: ["web"] }] }];
    const text = JSON.stringify({ ...edition, pointers: [], lists });
    const { anchors } = readAnchorFile({ text, listSignersPem: undefined, now });
    const qwac = await issuing.qwac();
    const readAt = (at: Date) => readTrustedCertificate(qwac, anchors, { type: "web", now: at });
    const end = new Date(edition.nextUpdate);
    expect(readAt(new Date(end.getTime() - 1)).organizationIdentifier).toMatch(/^PSD/);
    expect(() => readAt(end)).toThrow("certificate is not issued by a trusted issuer");
  });

  it("X5: a list of lists that has ended no longer says who may sign a territory's list", async () => {
    const end = { nextUpdate: "2027-05-01T00:00:00Z" };
    const { lists: known } = await follow(published({ [LOTL]: lotl(union, end) }));
    const renewed = list("RO", romania, { services: [], sequence: 8 });
    const served = published({ [LOTL]: lotl(union, end), [urlOf("RO")]: renewed });
    const after = await follow(served, known, new Date(end.nextUpdate));
    expect([after.lists?.lists, after.checked]).toEqual([known?.lists, []]);
    expect(after.faults.map(({ territory }) => territory)).toEqual(["EU", "EU"]);
    const before = await follow(served, known);
    expect(before.lists?.lists.map(({ issuers }) => issuers.length)).toEqual([0, 1]);
  });

  it("X5: is not replaced by an earlier edition, which its operator has signed too", async () => {
    const newer = { services: [], nextUpdate: "2027-07-01T00:00:00Z" };
    const { lists: known } = await follow(
      published({
        [urlOf("ES")]: list("ES", spain, { ...newer, sequence: 8 }),
        [LOTL]: lotl(union, { sequence: 9 }),
      }),
    );
    const found = await follow(published(), known);
    expect(found.faults.map(({ reason }) => reason)).toEqual([
      "the list is edition 7, older than 9, which is known",
      "the list is edition 7, older than 8, which is known",
    ]);
    expect(found.lists?.lists.map(({ issuers }) => issuers.length)).toEqual([1, 0]);
  });

  it("is left out where the list of lists points to it no more", async () => {
    const { lists: known } = await follow(published());
    const pointers = [pointer("RO", romania)];
    const found = await follow(
      published({ [LOTL]: lotl(union, { pointers, sequence: 8 }) }),
      known,
    );
    expect(territories(found)).toEqual(["RO"]);
  });
});
