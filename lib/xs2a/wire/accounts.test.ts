import { describe, expect, it } from "vitest";
import type { OpenAccount } from "@/lib/domain/account-access";
import type { Balance, BankAccount } from "@/lib/domain/accounts";
import { rightsFor } from "@/lib/domain/consents";
import { account, EUR, entry, now, RON } from "@/lib/domain/testing/samples";
import type { Iban, IsoDate, ResourceId, TransactionId } from "@/lib/domain/values";
import type { Answer } from "../declaration";
import { ask, bodyToWrite, IBAN, OTHER, sentBody } from "../testing/requests";
import { links } from "../testing/tpp";
import { accountRead, accountsRead, balanceSent, balancesRead, toBalance } from "./accounts";
import { transactionRead, transactionsRead } from "./transactions";

describe("the owner's name", () => {
  const NAMES = ["Ana Popescu", "Elena Popescu"];
  const owned = (id: string, iban: string): BankAccount => ({
    ...account(id, iban),
    owners: [
      { name: NAMES[0] as string, role: "owner" },
      { name: NAMES[1] as string, role: "authorisedUser" },
    ],
  });
  const ports = {
    links,
    cursorSecret: "secret",
  };

  /** The account as a consent with this access opens it, when the PSU has chosen it. */
  function openedBy(access: unknown, iban = IBAN): OpenAccount {
    const held = owned("one", iban);
    const resourceId = crypto.randomUUID() as string as ResourceId;
    const rights = rightsFor(ask({ access }).access, held);
    return {
      account: held,
      granted: { resourceId, accountId: held.id, iban: iban as Iban, currency: EUR, rights },
    };
  }

  const endpoints: Readonly<Record<string, (open: OpenAccount) => Answer>> = {
    "GET /accounts": (open) => accountsRead([open], ports),
    "GET /accounts/{account-id}": (open) => accountRead(open, ports),
    "GET …/balances": (open) => balancesRead({ ...open, balances: [] }),
    "GET …/transactions": (open) => {
      const asked = { resourceId: open.granted.resourceId, bookingStatus: "booked" } as const;
      return transactionsRead({ ...open, asked, entries: [], standingOrders: [] }, ports);
    },
    "GET …/transactions/{transactionId}": (open) => {
      const id = crypto.randomUUID() as string as TransactionId;
      return transactionRead({ ...open, transaction: entry(id, "2026-11-20") });
    },
  };
  /** Only these show the owner at all. */
  const showing = ["GET /accounts", "GET /accounts/{account-id}"];

  const options: readonly (readonly [access: unknown, granted: boolean])[] = [
    [{ availableAccounts: "allAccounts" }, false],
    [{ availableAccounts: "allAccountsWithOwnerName" }, true],
    [{ availableAccountsWithBalance: "allAccounts" }, false],
    [{ availableAccountsWithBalance: "allAccountsWithOwnerName" }, true],
    [{ allPSD2: "allAccounts" }, false],
    [{ allPSD2: "allAccountsWithOwnerName" }, true],
    [{ allPsd2: "allAccounts" }, false],
    [{ allPsd2: "allAccountsWithOwnerName" }, true],
    [{}, false],
    [{ balances: [], transactions: [] }, false],
    [{ balances: [], additionalInformation: { ownerName: [] } }, true],
    [{ accounts: [{ iban: IBAN }] }, false],
    [{ accounts: [{ iban: IBAN }], additionalInformation: { ownerName: [{ iban: IBAN }] } }, true],
    [
      {
        accounts: [{ iban: IBAN }, { iban: OTHER }],
        additionalInformation: { ownerName: [{ iban: OTHER }] },
      },
      false,
    ],
  ];

  const matrix = options.flatMap(([access, granted]) =>
    Object.keys(endpoints).map((endpoint) => [JSON.stringify(access), endpoint, granted] as const),
  );

  it.each(matrix)("B2: %s, %s: within the consent %s", (access, endpoint, granted) => {
    const answer = endpoints[endpoint]?.(openedBy(JSON.parse(access)));
    if (answer === undefined) throw new Error("no such endpoint");
    const text = JSON.stringify(sentBody(answer));
    const shown = granted && showing.includes(endpoint);
    for (const field of ["ownerName", "ownerNames"]) {
      expect(text.includes(`"${field}":`)).toBe(shown);
    }
    for (const name of NAMES) expect(text.includes(name)).toBe(shown);
    expect(text).not.toContain("psuName");
  });

  it("is returned whole in ownerName, and each owner with the role in ownerNames", () => {
    const body = bodyToWrite(accountRead(openedBy({ allPSD2: "allAccountsWithOwnerName" }), ports));
    expect(body.value).toMatchObject({
      account: {
        ownerName: "Ana Popescu, Elena Popescu",
        ownerNames: [
          { name: "Ana Popescu", role: "owner" },
          { name: "Elena Popescu", role: "authorisedUser" },
        ],
      },
    });
  });

  it("has 140 characters in ownerName and 70 in ownerNames at most, the last one whole", () => {
    const open = openedBy({ allPSD2: "allAccountsWithOwnerName" });
    const owners = [{ name: "𠮷".repeat(141), role: "owner" }] as const;
    const account = { ...open.account, owners };
    expect(sentBody(accountRead({ ...open, account }, ports))).toMatchObject({
      account: { ownerName: "𠮷".repeat(140), ownerNames: [{ name: "𠮷".repeat(70) }] },
    });
  });

  it.each(["psuName", "bban", "msisdn"])("no account has %s", (field) => {
    const body = bodyToWrite(accountRead(openedBy({}), ports));
    const { account: sent } = body.value as { account: object };
    expect(body.schema.safeParse({ account: sent }).success).toBe(true);
    expect(body.schema.safeParse({ account: { ...sent, [field]: "x" } }).success).toBe(false);
  });
});

describe("balance types that may appear", () => {
  const amount = { currency: RON, minorUnits: -1_205n };
  const referenceDate = "2026-11-19" as IsoDate;
  const sent = (balance: Balance) => balanceSent.parse(toBalance(balance));
  const balanceAmount = { currency: "RON", amount: "-12.05" };

  it.each(["closingBooked", "forwardAvailable"] as const)("%s, with its day", (type) => {
    expect(sent({ type, amount, referenceDate })).toEqual({
      balanceType: type,
      balanceAmount,
      referenceDate: "2026-11-19",
    });
  });

  it("expected, with the last change", () => {
    const expected = { balanceType: "expected", balanceAmount };
    expect(sent({ type: "expected", amount })).toEqual(expected);
    expect(sent({ type: "expected", amount, lastChangeAt: now })).toEqual({
      ...expected,
      lastChangeDateTime: "2026-11-20T10:00:00.000Z",
    });
  });

  it.each(["openingBooked", "interimAvailable", "interimBooked", "nonInvoiced"])(
    "not provided: %s",
    (balanceType) => {
      for (const more of [{}, { referenceDate }, { lastChangeDateTime: now.toISOString() }]) {
        expect(balanceSent.safeParse({ balanceType, balanceAmount, ...more }).success).toBe(false);
      }
    },
  );
});
