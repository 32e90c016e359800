import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { readSettings, SettingError } from "@/lib/config";
import { addTime } from "@/lib/domain/values";
import { issueDer, listXml, pem, signedList } from "@/lib/eidas/testing/issuing";
import { log } from "@/lib/log";
import { inside } from "@/lib/outbound/testing";
import { authorityParts } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { distinguishedName, privateKeyPem } from "@/lib/sandbox/x509";
import { temporaryFolder } from "./testing";
import { checkTrustAnchors } from "./tls";
import { isStale, readFollowed, updateTrustedLists } from "./trusted-lists";

const now = new Date("2027-03-01T12:00:00Z");
const later = (hours: number) => addTime(now, hours, "hour");

/** A web server with a list of lists and a territory's list, whose signer is the one issuer on it. */
async function published() {
  const keys = await nextKeys();
  const name = distinguishedName(["CN", "Scheme operator"]);
  const der = await issueDer({ name, keys }, authorityParts(name, keys, now));
  const key = await privateKeyPem(keys.privateKey);
  let isAway = false;
  const server = await inside(({ url, socket }, response) => {
    if (isAway) return void socket.destroy();
    const signers = [Buffer.from(der).toString("base64")];
    const pointers = [{ territory: "RO", url: `${server.origin}/ro.xml`, signers }];
    const content =
      url === "/ro.xml" ? { services: [{ certificate: der }] } : { services: [], pointers };
    response.end(signedList(listXml(content), { key }));
  });
  const folder = await temporaryFolder();
  const signers = path.join(folder, "signers.pem");
  await writeFile(signers, pem(der));
  const settings = readSettings({
    ...{ TRUSTED_LISTS: "EU", TRUSTED_LISTS_URL: `${server.origin}/lotl.xml` },
    ...{ TRUSTED_LIST_SIGNERS: signers, DATA_DIR: folder },
  });
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  onTestFinished(() => [logged, warned].forEach((spy) => void spy.mockRestore()));
  return {
    settings,
    file: String(settings.TRUST_ANCHORS),
    logged,
    away: (now: boolean) => {
      isAway = now;
    },
    asked: server.connections,
  };
}

it("the lists are kept, so that a start without the network finds them, and their staleness is an error in the log", async () => {
  const { settings, file, logged, away, asked } = await published();
  await updateTrustedLists(settings, now);
  const anchors = (at: Date) => checkTrustAnchors(file, { listSigners: undefined, now: at });
  expect((await anchors(now)).anchors).toHaveLength(1);
  away(true);
  await updateTrustedLists(settings, later(7));
  expect(logged).not.toHaveBeenCalled();
  await updateTrustedLists(settings, later(25));
  expect(logged.mock.calls.map(([fault]) => fault)).toMatchObject([
    { territory: "EU", checkedAt: now.toISOString() },
    { territory: "RO", checkedAt: now.toISOString() },
  ]);
  expect((await anchors(later(25))).anchors).toHaveLength(1);
  const followed = await readFollowed(file);
  expect(isStale(followed?.checkedAt["RO"] ?? "none", later(25))).toBe(true);
  away(false);
  await updateTrustedLists(settings, later(26));
  const { length } = logged.mock.calls;
  // All were had a moment ago.
  const before = asked();
  await updateTrustedLists(settings, later(27));
  expect([logged.mock.calls.length, asked()]).toEqual([length, before]);
  // What has ended is believed no more, and nothing else is known.
  away(true);
  await expect(updateTrustedLists(settings, new Date("2027-06-02"))).rejects.toThrow(SettingError);
});

it("times noted while the clock was ahead are none: the lists are stale, and asked for again", async () => {
  const { settings, file, asked } = await published();
  await updateTrustedLists(settings, later(24 * 20));
  const followed = await readFollowed(file);
  expect(isStale(followed?.checkedAt["RO"] ?? "none", now)).toBe(true);
  const before = asked();
  await updateTrustedLists(settings, now);
  expect(asked()).toBeGreaterThan(before);
  expect(isStale((await readFollowed(file))?.checkedAt["RO"] ?? "none", now)).toBe(false);
});

it("a start that knows no list says in a sentence why it has none", async () => {
  const { settings, away } = await published();
  away(true);
  await expect(updateTrustedLists(settings, now)).rejects.toThrow(
    /^TRUSTED_LISTS: http:\/\/127\.0\.0\.1:\d+\/lotl\.xml cannot be followed \(/,
  );
});

it("whom to trust is said once: by TRUST_ANCHORS or by TRUSTED_LISTS, which needs its signers", () => {
  const signers = { TRUSTED_LISTS: "EU", TRUSTED_LIST_SIGNERS: "signers.pem" };
  expect(() => readSettings({ ...signers, TRUST_ANCHORS: "ca.pem" })).toThrow("TRUST_ANCHORS");
  expect(() => readSettings({ TRUSTED_LISTS: "EU" })).toThrow("TRUSTED_LIST_SIGNERS");
  const { TRUST_ANCHORS } = readSettings({ ...signers, DATA_DIR: "/data" });
  expect(
    readSettings({ ...signers, DATA_DIR: "/data", TRUST_ANCHORS: String(TRUST_ANCHORS) }),
  ).toMatchObject({
    TRUST_ANCHORS: "/data/trusted-lists.json",
  });
});
