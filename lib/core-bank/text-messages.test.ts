import { join } from "node:path";
import fc from "fast-check";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/values";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { temporaryFolder } from "@/lib/server/testing";
import { gateway, message, saying, sendTo, stopGateways } from "./testing";
import { oneTimeCodes } from "./text-messages";

describe("sms gateway", () => {
  afterEach(stopGateways);

  const taken = { sent: true, faults: [] };
  const notTaken = (fault: number | string) => ({ sent: false, faults: [{ fault }] });
  const answering = (status: number, headers = {}) =>
    gateway((_request, response) => response.writeHead(status, headers).end("{}"));

  describe("SMS gateway", () => {
    it.each([undefined, "a-token"])(
      "posts receiver and text as JSON, once, and nothing else; token: %s",
      async (token) => {
        const seen: unknown[] = [];
        const url = await gateway(async (request, response) => {
          const { "content-type": type, authorization } = request.headers;
          const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
          seen.push([request.method, request.url, type, authorization, body]);
          response.writeHead(202).end();
        });
        expect(await sendTo(url, token === undefined ? {} : { token })).toEqual(taken);
        const body = { to: message.psuId, text: message.text };
        const bearer = token && `Bearer ${token}`;
        expect(seen).toEqual([["POST", "/messages", "application/json", bearer, body]]);
      },
    );

    it.each([200, 201, 202, 204])("%i is a message handed over", async (status) => {
      expect(await sendTo(await answering(status))).toEqual(taken);
    });

    it.each([304, 400, 401, 404, 429, 500, 503])("%i is none", async (status) => {
      expect(await sendTo(await answering(status))).toEqual(notTaken(status));
    });

    it.each([301, 302, 303, 307, 308])(
      "a redirect (%i) is not followed: the code goes to the configured gateway only",
      async (status) => {
        let followed = false;
        const location = await gateway((_request, response) => {
          followed = true;
          response.end();
        });
        expect(await sendTo(await answering(status, { location }))).toEqual(notTaken(status));
        expect(followed).toBe(false);
      },
    );

    it("a failure is not tried again", async () => {
      let requests = 0;
      const url = await gateway((_request, response) => {
        requests += 1;
        response.writeHead(500).end();
      });
      await sendTo(url);
      expect(requests).toBe(1);
    });
  });

  describe("a gateway that does not answer is no exception", () => {
    it("nobody listens", async () => {
      const url = await answering(200);
      stopGateways();
      expect(await sendTo(url)).toEqual(notTaken("ECONNREFUSED"));
      expect(await sendTo("no address")).toEqual(notTaken("ERR_INVALID_URL"));
    });

    it("hangs up", async () => {
      const url = await gateway((request) => request.socket.destroy());
      expect((await sendTo(url)).sent).toBe(false);
    });

    it.each([
      ["says nothing", []],
      ["sends its headers a piece at a time, for ever", ["HTTP/1.1 200 OK\r\n", "x-a: b\r\n"]],
    ])("%s: it is given up", async (_what, pieces) => {
      const url = await saying(...pieces);
      expect(await sendTo(url, { millisecondsMax: 200 })).toEqual(notTaken("TimeoutError"));
    });

    it("what it says is no HTTP, or headers without end", async () => {
      for (const said of ["SSH-2.0-gateway\r\n", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(99_999)}`]) {
        expect((await sendTo(await saying(said))).sent).toBe(false);
      }
    });

    it("a body that never ends is not waited for, and its connection is closed", async () => {
      let closed: (() => void) | undefined;
      const gone = new Promise<void>((resolve) => {
        closed = resolve;
      });
      const url = await gateway((request, response) => {
        request.socket.once("close", () => closed?.());
        response.writeHead(200).write("{");
      });
      expect(await sendTo(url)).toEqual(taken);
      await gone;
      // Left to the garbage collector, it would be closed some time.
    }, 4_000);
  });

  describe("over TLS", () => {
    const usual = getGlobalDispatcher();
    afterEach(() => setGlobalDispatcher(usual));

    /** Its certificate is for this host; the authority is what the bank's machine may believe. */
    async function secured(host: string) {
      const now = new Date();
      const authority = await makeCertificateAuthority(now);
      const file = join(await temporaryFolder(), "tls.pem");
      const certificate = await loadServerCertificate(authority, { file, host, now });
      let asked = 0;
      const address = await gateway((_request, response) => {
        asked += 1;
        response.end();
      }, certificate);
      return { address, ca: authority.certificatePem, asked: () => asked };
    }

    it("a gateway that an authority of the machine's vouches for gets the code", async () => {
      const { address, ca, asked } = await secured("sms.bank.example");
      setGlobalDispatcher(new Agent({ connect: { ca } }));
      expect(await sendTo(address)).toEqual(taken);
      expect(asked()).toBe(1);
    });

    it("another name than the certificate's, or an authority that nobody knows, gets none", async () => {
      const { address, ca, asked } = await secured("sms.bank.example");
      expect((await sendTo(address)).sent).toBe(false);
      const servername = "sms.other.example";
      setGlobalDispatcher(new Agent({ connect: { ca, servername } }));
      expect(await sendTo(address)).toEqual(notTaken("ERR_TLS_CERT_ALTNAME_INVALID"));
      expect(asked()).toBe(0);
    });
  });

  it("what is reported names neither code, text, receiver, address nor token", async () => {
    const there = await answering(500);
    for (const url of [there, there.replace("http:", "https:"), "http://[bad"]) {
      const { faults } = await sendTo(`${url}?key=hunter2`, { token: "a-token" });
      expect(faults).toHaveLength(1);
      const secrets = ["123456", "Example TPP", message.psuId, "127.0.0.1", "hunter2", "a-token"];
      for (const secret of secrets) expect(JSON.stringify(faults)).not.toContain(secret);
    }
  });
});

const deliver = async () => true;
const secret = "a secret of at least thirty-two characters";
const codes = oneTimeCodes({ secret, deliver });

describe("one-time codes", () => {
  it("a code has exactly the digits asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (digits) => {
        expect(codes.create(digits)).toMatch(new RegExp(`^[0-9]{${digits}}$`));
      }),
    );
  });

  it("every digit comes at every place, zero at the first one too", () => {
    const made = Array.from({ length: 3_000 }, () => codes.create(6));
    for (const place of [0, 1, 2, 3, 4, 5]) {
      expect(new Set(made.map((code) => code[place])).size).toBe(10);
    }
    expect(new Set(made).size).toBeGreaterThan(2_900);
  });

  it("the fingerprint is an HMAC-SHA-256 (RFC 4231, test case 2)", () => {
    const keyed = oneTimeCodes({ secret: "Jefe", deliver });
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    const fingerprint = keyed.fingerprint("what do ya want for nothing?");
    expect(Buffer.from(fingerprint, "base64url").toString("hex")).toBe(expected);
  });

  it("without the bank's key the fingerprint of a code cannot be made", () => {
    const other = oneTimeCodes({ secret: `${secret}!`, deliver });
    expect(other.fingerprint("123456")).not.toBe(codes.fingerprint("123456"));
  });

  it("a text matches its own fingerprint, and no other", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(codes.matches(one, codes.fingerprint(one))).toBe(true);
        expect(codes.matches(one, codes.fingerprint(other))).toBe(one === other);
        expect(codes.matches(one, `${codes.fingerprint(one)}0`)).toBe(false);
      }),
    );
  });

  it.each([true, false])("the sender's %s is handed on", async (handedOver) => {
    const message = {
      psuId: "6f0c2f5e-3a52-4b41-9d2f-0b7c1f6c2f11" as string as PsuId,
      text: "123456 is your code",
      code: "123456",
      sentAt: new Date(0),
    };
    const seen: unknown[] = [];
    const sender = oneTimeCodes({
      secret,
      deliver: async (given) => {
        seen.push(given);
        return handedOver;
      },
    });
    expect(await sender.send(message)).toBe(handedOver);
    expect(seen).toEqual([message]);
  });
});
