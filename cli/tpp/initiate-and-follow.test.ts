import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  AuthorisationRefused,
  type CallOptions,
  type PaymentCreated,
  type PaymentRequest,
  Refused,
  type Reply,
} from "@/clients/typescript/src";
import { paid } from "./initiate-and-follow";

beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

const link = (href: string) => ({ href: `https://bank.example/${href}` });
const created: PaymentCreated = {
  transactionStatus: "RCVD",
  paymentId: "p1",
  _links: {
    scaOAuth: link("server"),
    self: link("p1"),
    status: link("p1/status"),
    scaStatus: link("p1/authorisations/a1"),
  },
};
const payment: PaymentRequest = {
  debtorAccount: { iban: "RO76DRWB0001000000000102" },
  instructedAmount: { currency: "EUR", amount: "12.50" },
  creditorAccount: { iban: "DE89370400440532013000" },
  creditorName: "Bakery",
};
const order = { product: "sepa-credit-transfers", payment, rejectWithoutFunds: false };

const answer = <Body>(body: Body): Reply<Body> => ({ status: 200, headers: {}, ok: true, body });

type Bank = {
  readonly answered?: Reply<PaymentCreated>;
  readonly last?: string;
  readonly sca?: string;
};

function session({ answered = answer(created), last = "ACSC", sca = "failed" }: Bank, psu = "yes") {
  const sent: (CallOptions["headers"] | string)[] = [];
  return {
    sent,
    redirectUri: "http://localhost:1/callback",
    bank: {
      createPayment: async (
        _product: string,
        _payment: unknown,
        _to: unknown,
        more?: CallOptions,
      ) => {
        sent.push(more?.headers);
        return answered;
      },
      paymentStatus: async () => answer({ transactionStatus: last }),
      call: async <Body>(_method: string, target: string) => {
        sent.push(target);
        return answer({ scaStatus: sca }) as Reply<Body>;
      },
    },
    authorised: async ({ scope }: { readonly scope: string }) => {
      sent.push(scope);
      if (psu !== "yes") throw new AuthorisationRefused("access_denied", null);
      return { accessToken: "token" };
    },
  };
}

describe("a payment from the TPP's side", () => {
  it("asks the PSU for this payment and ends with its last status", async () => {
    const at = session({});
    expect(await paid(at, order)).toBe("ACSC");
    expect(at.sent).toEqual([{ "x-request-id": expect.any(String) }, "PIS:p1"]);
  });

  it("says when it is rather to be rejected than to wait for funds", async () => {
    const at = session({});
    await paid(at, { ...order, rejectWithoutFunds: true });
    expect(at.sent[0]).toMatchObject({ "tpp-rejection-nofunds-preferred": "true" });
  });

  it("ends with the bank's refusal when there is no payment", async () => {
    const refusal = { status: 400, headers: {}, ok: false, body: { tppMessages: [] } } as const;
    await expect(paid(session({ answered: refusal }), order)).rejects.toThrow(Refused);
  });
});

describe("a PSU who comes back without a code", () => {
  it("has not agreed when the authorisation failed", async () => {
    const cancelled = paid(session({ sca: "failed", last: "RJCT" }, "no"), order);
    await expect(cancelled).rejects.toThrow(AuthorisationRefused);
  });

  it("has agreed when it is finalised: then the bank has rejected the payment", async () => {
    const at = session({ sca: "finalised", last: "RJCT" }, "no");
    expect(await paid(at, order)).toBe("RJCT");
    expect(at.sent).toContain("https://bank.example/p1/authorisations/a1");
  });
});
