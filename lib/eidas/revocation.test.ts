import { BitString, fromBER, Integer, Sequence } from "asn1js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Rejection } from "@/lib/domain/errors";
import { addTime } from "@/lib/domain/values";
import type { Signer } from "@/lib/sandbox/certificate-status";
import { AuthorityInfoAccessExtension } from "@/lib/sandbox/x509";
import { type Certificate, readCertificate } from "./certificate";
import { certificateLimits } from "./certificate-fault";
import { checkQwac } from "./qwac-qsealc";
import { checkNotRevoked, noticingRevoked, revocation, type Verdict } from "./revocation";
import { type Issuing, now as issuedAt, startIssuing } from "./testing/issuing";
import {
  answering,
  asking,
  LIST,
  naming,
  nothing,
  OCSP,
  ocspAnswer,
  signedList,
  startIssuer,
  startSource,
  startStubs,
  type TestIssuer,
} from "./testing/revocation";

const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
let stubs: Awaited<ReturnType<typeof startStubs>>;
beforeAll(async () => {
  stubs = await startStubs(now);
});
afterAll(() => stubs.issuer.close());

describe("C5: the verdict by mode, use and status", () => {
  it.each([
    ["hard", "payments", "good", "good"],
    ["hard", "payments", "revoked", "revoked"],
    ["hard", "payments", "unknown", "unknown"],
    ["hard", "accounts", "good", "good"],
    ["hard", "accounts", "revoked", "revoked"],
    ["hard", "accounts", "unknown", "unknown"],
    ["soft", "payments", "good", "good"],
    ["soft", "payments", "revoked", "revoked"],
    ["soft", "payments", "unknown", "unknown"],
    ["soft", "accounts", "good", "good"],
    ["soft", "accounts", "revoked", "revoked"],
    ["soft", "accounts", "unknown", "good"],
    ["off", "payments", "good", "good"],
    ["off", "payments", "revoked", "good"],
    ["off", "payments", "unknown", "good"],
  ] as const)("REVOCATION=%s, %s, %s", async (mode, use, status, expected) => {
    const bank = stubs.bank(mode);
    const said = {
      good: stubs.goodOf(stubs.tpp, now),
      revoked: stubs.revokedOf(stubs.tpp),
      unknown: nothing,
    };
    bank.answers[OCSP] = said[status];
    expect(await bank.verdict(stubs.tpp, now, use === "payments")).toBe(expected);
    expect(bank.asked.length > 0).toBe(mode !== "off");
  });

  it.each([
    ["nothing of it", [], "unknown"],
    ["that it is revoked", [1], "revoked"],
  ] as const)("a responder does not know it, and the list says %s", async (_, named, expected) => {
    const bank = stubs.bank("hard");
    bank.answers[OCSP] = stubs.unknownOf(stubs.tpp);
    bank.answers[LIST] = stubs.listOf(now, ...named.map(() => stubs.tpp.serialNumber));
    expect(await bank.verdict(stubs.tpp)).toBe(expected);
  });

  it("an accepted certificate of unknown status is reported once an hour", async () => {
    const bank = stubs.bank("soft");
    const verdictAt = (minutes: number, hard = false) =>
      bank.verdict(stubs.tpp, addTime(now, minutes, "minute"), hard);
    expect(await verdictAt(0, true)).toBe("unknown");
    expect(bank.accepted).toEqual([]);
    for (const minutes of [0, 1, 59]) expect(await verdictAt(minutes)).toBe("good");
    expect(bank.accepted).toEqual([stubs.tpp]);
    await bank.verdict(stubs.other);
    expect(bank.accepted).toEqual([stubs.tpp, stubs.other]);
    await verdictAt(60);
    expect(bank.accepted).toEqual([stubs.tpp, stubs.other, stubs.tpp]);
  });

  it("a certificate that is found revoked is reported once, and again where the report failed", async () => {
    const bank = stubs.bank("hard");
    const told: bigint[] = [];
    let fails = true;
    const { check } = noticingRevoked(bank, async ({ serialNumber }) => {
      told.push(serialNumber);
      if (fails) throw new Error("no database");
    });
    const ask = (certificate: Certificate) => check(stubs.issued(certificate), { hard: true, now });
    bank.answers[OCSP] = stubs.goodOf(stubs.other, now);
    expect([await ask(stubs.other), told]).toEqual(["good", []]);
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await ask(stubs.tpp)).toBe("revoked");
    fails = false;
    for (const _ of [1, 2, 3]) await ask(stubs.tpp);
    expect(told).toEqual([stubs.tpp.serialNumber, stubs.tpp.serialNumber]);
  });

  it("a certificate without a status address is treated as unknown, and logged", async () => {
    const silent = naming(stubs.tpp, {});
    const soft = stubs.bank("soft");
    expect(await stubs.bank("hard").verdict(silent)).toBe("unknown");
    expect(await soft.verdict(silent, now, true)).toBe("unknown");
    expect(await soft.verdict(silent)).toBe("good");
    const serialNumber = stubs.tpp.serialNumber.toString(16);
    const reason = "the certificate names no place that tells";
    expect(soft.faults).toEqual([{ serialNumber, reason }]);
  });
});

describe("unusable answers", () => {
  let issuer: TestIssuer;
  let signer: Signer;
  let tpp: Certificate;
  let other: Certificate;
  beforeAll(async () => {
    issuer = await startIssuer(now);
    [tpp, other] = [await issuer.tpp(), await issuer.tpp()];
    signer = issuer.signer;
  });
  afterAll(() => issuer.close());

  type Answer = Parameters<typeof startSource>[0];

  async function place(answer: Answer) {
    const started = await startSource(answer);
    onTestFinished(started.stop);
    return started;
  }

  const issuedBy = (certificate: Certificate) => ({ certificate, issuer: issuer.certificate });
  const aboutOther = () => ocspAnswer(signer, { answers: [{ issued: issuedBy(other) }], now });
  const good = () => ocspAnswer(signer, { answers: [{ issued: issuedBy(tpp) }], now });
  const goodList = () => answering(signedList(signer, { now }));
  const revokedList = () =>
    answering(signedList(signer, { now, entries: [{ serialNumber: tpp.serialNumber }] }));

  const garbage = Buffer.from("<html>no such page</html>");
  const unusable: readonly (readonly [string, () => Answer, reason: RegExp])[] = [
    ["never answers", () => () => undefined, /aborted|timeout/],
    ["answers a byte now and then", () => dripping, /aborted/],
    ["sends garbage", () => answering(garbage), /OCSP response is unreadable/],
    ["speaks of another certificate", () => answering(aboutOther()), /does not answer once/],
    ["answers 500", () => answering(good(), 500), /status 500/],
    ["answers 404", () => answering(good(), 404), /status 404/],
    ["redirects", () => redirecting, /status 302/],
    ["sends too much", () => answering(new Uint8Array(16_385)), /more than 16384 bytes/],
    ["hangs up", () => (request) => request.socket.destroy(), /hang up|ECONNRESET/],
  ];

  function dripping(...[, response]: Parameters<Answer>): void {
    response.writeHead(200);
    const drip = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(drip));
  }

  let redirectedTo = "";
  function redirecting(...[, response]: Parameters<Answer>): void {
    response.writeHead(302, { location: redirectedTo }).end();
  }

  /** Long enough for an answer on loopback, short enough to wait for it to run out. */
  const PATIENCE = 400;

  describe.each(unusable)("C5: a responder that %s", (_what, answer, reason) => {
    it("is ignored, and the list is asked", async () => {
      const [ocsp, goods, revokes] = [
        await place(answer()),
        await place(goodList()),
        await place(revokedList()),
      ];
      for (const [list, expected] of [[goods, "good"] as const, [revokes, "revoked"] as const]) {
        const { revocation, naming } = asking(
          "hard",
          { ocsp: [ocsp.url], crl: [list.url] },
          PATIENCE,
        );
        const issued = issuedBy(naming(tpp));
        expect(await revocation.check(issued, { hard: false, now })).toBe(expected);
        expect(list.asked()).toBe(1);
      }
    });

    it("leaves the status unknown where there is no list, and the fault is logged", async () => {
      const elsewhere = await place(answering(good()));
      redirectedTo = elsewhere.url;
      const ocsp = await place(answer());
      const { revocation, naming, faults } = asking("hard", { ocsp: [ocsp.url] }, PATIENCE);
      const issued = issuedBy(naming(tpp));
      expect(await revocation.check(issued, { hard: false, now })).toBe("unknown");
      const serialNumber = tpp.serialNumber.toString(16);
      expect(faults).toEqual([
        { serialNumber, url: ocsp.url, reason: expect.stringMatching(reason) },
      ]);
      expect([ocsp.asked(), elsewhere.asked()]).toEqual([1, 0]);
    });
  });

  describe("C5: a list", () => {
    it.each([
      ["that is garbage", () => answering(garbage)],
      ["that is not there", () => answering(new Uint8Array(), 404)],
      ["that never comes", () => () => undefined],
      ["that is longer than any", () => answering(new Uint8Array(2_097_153))],
    ] as const)("%s leaves it unknown", async (_what, answer) => {
      const list = await place(answer());
      const { revocation, naming } = asking("hard", { crl: [list.url] }, PATIENCE);
      const issued = issuedBy(naming(tpp));
      expect(await revocation.check(issued, { hard: false, now })).toBe("unknown");
    });

    it("at the second address is asked when the first does not answer", async () => {
      const [none, list] = [await place(answering(garbage)), await place(revokedList())];
      const { revocation, naming } = asking("hard", { crl: [none.url, list.url] });
      const issued = issuedBy(naming(tpp));
      expect(await revocation.check(issued, { hard: false, now })).toBe("revoked");
    });

    it("is not fetched when the responder has answered", async () => {
      const [ocsp, list] = [await place(answering(good())), await place(revokedList())];
      const { revocation, naming } = asking("hard", { ocsp: [ocsp.url], crl: [list.url] });
      const issued = issuedBy(naming(tpp));
      expect(await revocation.check(issued, { hard: false, now })).toBe("good");
      expect(list.asked()).toBe(0);
    });
  });
});

describe("second signature", () => {
  /** How many points the curve P-256 has. */
  const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

  it("C5: a revoked certificate stays revoked with a second signature derived from its first", async () => {
    const copy = readCertificate(withSecondSignature(stubs.tpp.x509.raw));
    expect(copy.x509.verify(stubs.issuer.certificate.publicKey)).toBe(true);
    expect(copy.thumbprint).not.toBe(stubs.tpp.thumbprint);
    const bank = stubs.bank("soft");
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await bank.verdict(stubs.tpp)).toBe("revoked");
    bank.answers[OCSP] = nothing;
    expect(await bank.verdict(naming(copy, { ocsp: [OCSP], crl: [LIST] }))).toBe("revoked");
  });

  /** Where (r, s) is a signature of ECDSA, so is (r, n - s), and nobody needs the key for it. */
  function withSecondSignature(der: Uint8Array): Uint8Array {
    const certificate = sequence(new Uint8Array(der));
    const [content, algorithm, bits] = certificate.valueBlock.value;
    if (content === undefined || algorithm === undefined || !(bits instanceof BitString)) {
      throw new Error("no certificate");
    }
    const [r, s] = sequence(bits.valueBlock.valueHexView).valueBlock.value;
    if (r === undefined || !(s instanceof Integer)) throw new Error("no ECDSA signature");
    const second = new Sequence({ value: [r, Integer.fromBigInt(N - s.toBigInt())] });
    const signature = new BitString({ valueHex: second.toBER() });
    return new Uint8Array(new Sequence({ value: [content, algorithm, signature] }).toBER());
  }

  function sequence(der: Uint8Array): Sequence {
    const { result } = fromBER(new Uint8Array(der), { parseEmbedded: false });
    if (!(result instanceof Sequence)) throw new Error("no sequence");
    return result;
  }
});

describe("C5: a certificate whose issuer", () => {
  let issuing: Issuing;
  let qwac: Certificate;
  let silent: Certificate;
  beforeAll(async () => {
    issuing = await startIssuing();
    const access = new AuthorityInfoAccessExtension({ ocsp: ["http://ocsp.example/"] });
    const read = (der: Uint8Array) => checkQwac(der, issuing.anchors, issuedAt).certificate;
    qwac = read(await issuing.qwac({ extensions: { access } }));
    silent = read(await issuing.qwac());
  });

  /** What ends the request when this is the verdict. */
  async function refusalFor(verdict: Verdict, certificate = qwac, path?: string) {
    const revocation = { check: async () => verdict };
    const asked = { certificate, hard: false, now: issuedAt, ...(path !== undefined && { path }) };
    try {
      return await checkNotRevoked({ revocation, trustAnchors: issuing.anchors }, asked);
    } catch (error) {
      if (error instanceof Rejection) return { status: error.status, faults: error.faults };
      throw error;
    }
  }

  const refused = (code: string, text: string, more = {}) => ({
    status: 401,
    faults: [{ code, text, ...more }],
  });

  it("says good is accepted", async () => {
    expect(await refusalFor("good")).toBeUndefined();
  });

  it("has revoked it is refused, with the header's name where it was sent in one", async () => {
    const text = "certificate has been revoked by its issuer";
    expect(await refusalFor("revoked")).toEqual(refused("CERTIFICATE_REVOKED", text));
    const path = "TPP-Signature-Certificate";
    expect(await refusalFor("revoked", qwac, path)).toEqual(
      refused("CERTIFICATE_REVOKED", text, { path }),
    );
  });

  it("gave no status is refused with the reason", async () => {
    expect(await refusalFor("unknown")).toEqual(
      refused("CERTIFICATE_INVALID", "certificate's issuer could not tell whether it is revoked"),
    );
    expect(await refusalFor("unknown", silent)).toEqual(
      refused("CERTIFICATE_INVALID", "certificate names no place that tells whether it is revoked"),
    );
  });

  it("is asked, with the certificate, its issuer, and how it is used", async () => {
    const asked: unknown[] = [];
    const revocation = {
      check: async (...given: readonly unknown[]): Promise<Verdict> => {
        asked.push(given);
        return "good";
      },
    };
    const { anchors } = issuing;
    const use = { certificate: qwac, hard: true, now: issuedAt };
    await checkNotRevoked({ revocation, trustAnchors: anchors }, use);
    expect(asked).toEqual([
      [
        { certificate: qwac, issuer: anchors[0] },
        { hard: true, now: issuedAt },
      ],
    ]);
  });
});

describe("cached answers", () => {
  const at = (seconds: number) => addTime(now, seconds, "second");
  describe("C5: an answer is cached", () => {
    it("good: for ten minutes, however late its nextUpdate", async () => {
      const bank = stubs.bank();
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
      for (const seconds of [0, 1, 599])
        expect(await bank.verdict(stubs.tpp, at(seconds))).toBe("good");
      expect(bank.asked).toHaveLength(1);
      bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
      expect(await bank.verdict(stubs.tpp, at(600))).toBe("revoked");
      expect(bank.asked).toHaveLength(2);
    });

    it("good: until it expires, if that is sooner; then an issuer that is silent leaves it unknown", async () => {
      const bank = stubs.bank();
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now, 60);
      expect(await bank.verdict(stubs.tpp, at(59))).toBe("good");
      bank.answers[OCSP] = nothing;
      expect(await bank.verdict(stubs.tpp, at(59 + 60))).toBe("unknown");
    });

    it("good: not past an hour that the clock was set back by", async () => {
      const bank = stubs.bank();
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
      expect(await bank.verdict(stubs.tpp, now)).toBe("good");
      bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
      expect(await bank.verdict(stubs.tpp, at(-300))).toBe("good");
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, at(-3_600));
      expect(await bank.verdict(stubs.tpp, at(-3_600))).toBe("good");
      expect(bank.asked).toHaveLength(2);
    });

    it("unknown: for half a minute", async () => {
      const bank = stubs.bank();
      expect(await bank.verdict(stubs.tpp)).toBe("unknown");
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
      expect(await bank.verdict(stubs.tpp, at(29))).toBe("unknown");
      expect(bank.asked).toEqual([OCSP, LIST]);
      expect(await bank.verdict(stubs.tpp, at(30))).toBe("good");
    });

    it("revoked: for ever, whatever is answered later and however many others are asked about", async () => {
      const bank = stubs.bank("soft");
      bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
      expect(await bank.verdict(stubs.tpp)).toBe("revoked");
      // To read a thousand answers takes seconds: of the others the list tells, which is read once.
      bank.answers[OCSP] = async () => Buffer.from("no answer");
      bank.answers[LIST] = stubs.listOf(at(86_400));
      for (let one = 0; one <= certificateLimits.cachedCertificatesMax; one += 1) {
        await bank.verdict({ ...stubs.other, serialNumber: BigInt(one) }, at(86_400));
      }
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, at(86_400));
      const asked = bank.asked.length;
      expect(await bank.verdict(stubs.tpp, at(86_400))).toBe("revoked");
      expect(bank.asked).toHaveLength(asked);
    });

    it("for calls at the same time: one asks, and all get the answer", async () => {
      for (const expected of ["good", "revoked"]) {
        const bank = stubs.bank();
        bank.answers[OCSP] =
          expected === "good" ? stubs.goodOf(stubs.tpp, now) : stubs.revokedOf(stubs.tpp);
        const calls = Array.from({ length: 50 }, () => bank.verdict(stubs.tpp));
        expect(await Promise.all(calls)).toEqual(calls.map(() => expected));
        expect(bank.asked).toEqual([OCSP]);
      }
    });

    it("for calls at the same time when it has expired: one asks again", async () => {
      const bank = stubs.bank();
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
      await bank.verdict(stubs.tpp);
      bank.answers[OCSP] = stubs.goodOf(stubs.tpp, at(700));
      const calls = Array.from({ length: 50 }, () => bank.verdict(stubs.tpp, at(700)));
      expect(await Promise.all(calls)).toEqual(calls.map(() => "good"));
      expect(bank.asked).toEqual([OCSP, OCSP]);
    });

    it("for one while a slow responder is still being asked about another", async () => {
      const bank = stubs.bank();
      bank.answers[OCSP] = () => new Promise(() => undefined);
      const slow = Array.from({ length: 50 }, () => bank.verdict(stubs.tpp));
      const quick = "http://quick.example/";
      bank.answers[quick] = stubs.goodOf(stubs.other, now);
      expect(await bank.verdict(naming(stubs.other, { ocsp: [quick] }))).toBe("good");
      expect(bank.asked).toEqual([OCSP, quick]);
      expect(slow).toHaveLength(50);
    });

    it("for each issuer on its own, though its certificate has the same number", async () => {
      const elsewhere = await startIssuer(now);
      const bank = stubs.bank();
      bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
      expect(await bank.verdict(stubs.tpp)).toBe("revoked");
      const theirs = { certificate: stubs.tpp, issuer: elsewhere.certificate };
      expect(await bank.check(theirs, { hard: false, now })).toBe("unknown");
      await elsewhere.close();
    });

    it("for each certificate on its own", async () => {
      const bank = stubs.bank();
      bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
      expect(await bank.verdict(stubs.tpp)).toBe("revoked");
      bank.answers[OCSP] = stubs.goodOf(stubs.other, now);
      expect(await bank.verdict(stubs.other)).toBe("good");
    });
  });

  describe("C5: a list is fetched", () => {
    it("once for all certificates that name it, at once or later, and again after ten minutes", async () => {
      const bank = stubs.bank();
      bank.answers[LIST] = stubs.listOf(now, stubs.other.serialNumber);
      const both = await Promise.all([bank.verdict(stubs.tpp), bank.verdict(stubs.other)]);
      expect(both).toEqual(["good", "revoked"]);
      const third = { ...stubs.tpp, serialNumber: 3n };
      expect(await bank.verdict(third, at(599))).toBe("good");
      expect(bank.asked.filter((url) => url === LIST)).toHaveLength(1);
      bank.answers[LIST] = stubs.listOf(
        at(600),
        stubs.other.serialNumber,
        stubs.tpp.serialNumber,
        3n,
      );
      expect(await bank.verdict(third, at(600))).toBe("revoked");
      expect(await bank.verdict(stubs.tpp, at(600))).toBe("revoked");
      expect(bank.asked.filter((url) => url === LIST)).toHaveLength(2);
    });

    it("for the next certificate when the first fetch failed", async () => {
      const bank = stubs.bank();
      expect(await bank.verdict(stubs.tpp)).toBe("unknown");
      bank.answers[LIST] = stubs.listOf(now);
      expect(await bank.verdict(stubs.other)).toBe("good");
    });

    it("for each issuer on its own, though they name one address", async () => {
      const elsewhere = await startIssuer(now);
      const theirs = naming(await elsewhere.tpp(), { crl: [LIST] });
      const lists = [stubs.listOf(now), stubs.listOf(now)];
      const { check } = revocation({
        mode: "hard",
        fetch: () => (lists.shift() ?? nothing)(),
        onFault: () => undefined,
      });
      await check(stubs.issued(naming(stubs.tpp, { crl: [LIST] })), { hard: false, now });
      const asked = check(
        { certificate: theirs, issuer: elsewhere.certificate },
        { hard: false, now },
      );
      expect(await asked).toBe("unknown");
      await elsewhere.close();
    });
  });
});
