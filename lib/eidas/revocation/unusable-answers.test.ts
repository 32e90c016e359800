import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Signer } from "@/lib/sandbox/certificate-status/signing";
import type { Certificate } from "../certificate";
import { asking } from "./testing/asking";
import { startIssuer, type TestIssuer } from "./testing/issuer";
import { ocspAnswer } from "./testing/ocsp-answer";
import { answering, startPlace } from "./testing/place";
import { signedList } from "./testing/signed-list";

const now = new Date();
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

type Answer = Parameters<typeof startPlace>[0];

async function place(answer: Answer) {
  const started = await startPlace(answer);
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
  it("is of no use, so the list is asked", async () => {
    const [ocsp, goods, revokes] = [
      await place(answer()),
      await place(goodList()),
      await place(revokedList()),
    ];
    for (const [list, expected] of [[goods, "counts"] as const, [revokes, "revoked"] as const]) {
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

  it("leaves it unknown where there is no list, and what was wrong is logged", async () => {
    const elsewhere = await place(answering(good()));
    redirectedTo = elsewhere.url;
    const ocsp = await place(answer());
    const { revocation, naming, faults } = asking("hard", { ocsp: [ocsp.url] }, PATIENCE);
    const issued = issuedBy(naming(tpp));
    expect(await revocation.check(issued, { hard: false, now })).toBe("untold");
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
    expect(await revocation.check(issued, { hard: false, now })).toBe("untold");
  });

  it("of the second address is asked when the first has none", async () => {
    const [none, list] = [await place(answering(garbage)), await place(revokedList())];
    const { revocation, naming } = asking("hard", { crl: [none.url, list.url] });
    const issued = issuedBy(naming(tpp));
    expect(await revocation.check(issued, { hard: false, now })).toBe("revoked");
  });

  it("is not asked for when the responder has told", async () => {
    const [ocsp, list] = [await place(answering(good())), await place(revokedList())];
    const { revocation, naming } = asking("hard", { ocsp: [ocsp.url], crl: [list.url] });
    const issued = issuedBy(naming(tpp));
    expect(await revocation.check(issued, { hard: false, now })).toBe("counts");
    expect(list.asked()).toBe(0);
  });
});
