import { expect, it } from "vitest";
import type { SeenCertificate } from "@/lib/domain/tpp";
import type { Certificate } from "@/lib/eidas/certificate";
import type { Qwac } from "@/lib/eidas/qwac-qsealc";
import { certificateLog } from "./certificate-log";

const now = new Date("2026-11-20T10:00:00Z");
const notAfter = new Date("2027-11-20T10:00:00Z");
const shared = { serialNumber: "ff", issuer: "C=RO, CN=Issuer", notAfter };

function certificate(thumbprint: string): Certificate {
  const x509 = { issuer: "C=RO\nCN=Issuer" };
  return { thumbprint, serialNumber: 255n, notAfter, x509 } as unknown as Certificate;
}

function qwac(thumbprint: string): Qwac {
  const tpp = { id: "PSDRO-NBR-1", roles: ["PSP_AI"] };
  return { tpp, certificate: certificate(thumbprint), thumbprint } as unknown as Qwac;
}

/** What was kept, until the store fails. */
function recorder() {
  const kept: (readonly SeenCertificate[])[] = [];
  const faults: unknown[] = [];
  let failure: Error | undefined;
  const keepCertificates = async (_: unknown, seen: readonly SeenCertificate[]) => {
    if (failure !== undefined) throw failure;
    kept.push(seen);
  };
  const { note } = certificateLog({ keepCertificates }, (error) => faults.push(error));
  const fail = (error?: Error) => {
    failure = error;
  };
  return { kept, faults, note, fail };
}

const thumbprints = (kept: ReturnType<typeof recorder>["kept"]) =>
  kept.map((seen) => seen.map(({ thumbprint }) => thumbprint).join());

it("a QWAC is kept with its roles, and a seal without", () => {
  const { kept, note } = recorder();
  note(qwac("q"), certificate("s"), now);
  expect(kept).toEqual([
    [
      { kind: "QWAC", thumbprint: "q", ...shared, roles: ["PSP_AI"] },
      { kind: "QSEAL", thumbprint: "s", ...shared },
    ],
  ]);
});

it("certificates are kept once, and again beside one that is new", () => {
  const { kept, note } = recorder();
  for (const [of, seal] of ["qs", "qs", "qt", "rs", "rt"].map((pair) => [...pair]))
    note(qwac(String(of)), certificate(String(seal)), now);
  expect(thumbprints(kept)).toEqual(["q,s", "q,t", "r,s"]);
});

it("what could not be kept is kept with the next request", async () => {
  const { kept, faults, note, fail } = recorder();
  const lost = new Error("no database");
  fail(lost);
  note(qwac("q"), certificate("s"), now);
  await expect.poll(() => faults).toEqual([lost]);
  fail();
  note(qwac("q"), certificate("s"), now);
  expect(thumbprints(kept)).toEqual(["q,s"]);
});

it("of too many the oldest is forgotten, and kept again", () => {
  const { kept, note } = recorder();
  const pair = (nth: number) => note(qwac(`q${nth}`), certificate(`s${nth}`), now);
  for (let nth = 0; nth <= 10_000; nth += 1) pair(nth);
  kept.length = 0;
  pair(10_000);
  pair(0);
  expect(thumbprints(kept)).toEqual(["q0,s0"]);
});
