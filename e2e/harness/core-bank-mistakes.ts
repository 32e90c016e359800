export type CoreBankMistake = {
  /** Of the source of the example core bank. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** Of the contract kit, which finds it broken. */
  readonly rule: string;
};

const HANDLER = "        target = urlsplit(self.path)";
const late = (seconds: number) =>
  [
    HANDLER,
    `        "standing" in self.path and threading.Event().wait(${seconds})\n${HANDLER}`,
  ] as const;

const MOVING_PAGES = [
  "rows = list(itertools.islice(rows, limit + 1))",
  "rows = self.entries[id][::-1][sum([*row[:2]] >= after for row in self.entries[id] if row[1] <= as_of) if after else 0:]",
] as const;

/** What a core bank may do wrong, by its name: it has this one mistake and no other. */
export const coreBankMistakes = {
  "executes a payment twice": {
    edits: [
      [
        'self.enter(account_id, -amount, order["creditor"]["name"])',
        '[self.enter(account_id, -amount, order["creditor"]["name"]) for _ in range(2)]',
      ],
    ],
    rule: "50 submissions of one payment at once execute it once",
  },
  "answers another customer's account": {
    edits: [["if id not in self.owned(customer):", "if id not in self.accounts:"]],
    rule: "an account of another customer is unknown-account",
  },
  "serves a blocked customer": {
    edits: [["if customer in BLOCKED:", "if False:"]],
    rule: "a customer whom the bank has blocked is customer-blocked, wherever one is named",
  },
  "looks up another customer's account": {
    edits: [["if id in owned]", "if id in self.accounts]"]],
    rule: "accounts are looked up by id, as they are listed, and unknown ones left out",
  },
  "moves pages under writes": {
    edits: [MOVING_PAGES],
    rule: "pages of a report do not move while entries are written",
  },
  "moves pages under writes that come late": {
    edits: [
      MOVING_PAGES,
      [
        'self.enter(account_id, -amount, order["creditor"]["name"])',
        'threading.Timer(3, self.enter, (account_id, -amount, order["creditor"]["name"])).start()',
      ],
    ],
    rule: "pages of a report do not move while entries are written",
  },
  "leaves an entry out of a later page": {
    edits: [
      [
        "rows = (row for row in reversed(rows) if row[1]",
        "rows = (row for row in reversed(rows) if (after is None or row[1] != 7) and row[1]",
      ],
    ],
    rule: "pages together hold every entry once, newest first",
  },
  "forgets on restart": {
    edits: [[HANDLER, `        self.path == "/restart" and BANK.__init__()\n${HANDLER}`]],
    rule: "after a restart nothing is forgotten",
  },
  hangs: { edits: [late(60)], rule: "standing orders are listed" },
  "ignores the deadline": { edits: [late(3)], rule: "standing orders are listed" },
  rounds: {
    edits: [["digits = FRACTION_DIGITS.get(currency, 2)", "digits = 2"]],
    rule: "amounts have as many decimals as ISO 4217 gives their currency",
  },
  "accepts a conflict": {
    edits: [['if self.payments[id]["body"] != body:', "if False:"]],
    rule: "a payment sent again and another body under its id, a conflict, change nothing",
  },
  "lies about funds": {
    edits: [['available >= Decimal(amount["amount"])}', "True}"]],
    rule: "funds are confirmed as far as the balance goes, and no further",
  },
  "compares funds in another currency": {
    edits: [
      [
        'if amount["currency"] == account["currency"] else None for amount in amounts]',
        "for amount in amounts]",
      ],
    ],
    rule: "funds are compared in the account's currency, for any currency or not at all",
  },
  "does not say that a position has expired": {
    edits: [["if not after.isdecimal() or int(after) > len(self.changes):", "if False:"]],
    rule: "a cursor or a position that the core bank has not made is expired-cursor",
  },
  "sends half an answer": {
    edits: [[', "standingOrders": []}', "}"]],
    rule: "standing orders are listed",
  },
  "moves a status backwards": {
    edits: [
      [
        'return {"paymentId": id, "history": payment["history"], **funds}',
        'payment["read"] = payment.get("read", 0) + 1\n        return {"paymentId": id, "history": payment["history"][: 1 if payment["read"] > 1 else None], "nextAt": iso(now()), **funds}',
      ],
    ],
    rule: "a payment is known by its id, and an unknown one is unknown-payment",
  },
  "forgets a change in the feed": {
    edits: [["self.changes.append(id)", "self.changes += [id] if len(self.payments) % 2 else []"]],
    rule: "the feed names each payment that has changed, in the order of the changes",
  },
  "settles what it has not accepted": {
    edits: [['("ACCP", None), ("ACSP", None), ("ACSC", None)]', '("ACSP", None), ("ACSC", None)]']],
    rule: "a status never goes backwards",
  },
  "does not say when it knows more": {
    edits: [['("ACCP", None), ("ACSP", None), ("ACSC", None)]', '("ACCP", None)]']],
    rule: "a status never goes backwards",
  },
  "does not say why it rejects": {
    edits: [['**({"reason": reason} if reason else {})}', "}"]],
    rule: "a payment out of reach is rejected with a reason, and enters nothing",
  },
  "executes what its quote refuses": {
    edits: [
      [
        "        if refusal:\n            steps.append",
        "        if False:\n            steps.append",
      ],
      ["        elif not funds:", "        elif False:"],
    ],
    rule: "a payment out of reach is rejected with a reason, and enters nothing",
  },
  "finds an entry under any account": {
    edits: [
      [
        'found = [entry for _, _, entry in self.entries[account_id] if entry["id"] == id]',
        'found = [entry for rows in self.entries.values() for _, _, entry in rows if entry["id"] == id]',
      ],
    ],
    rule: "an entry of another account is unknown-transaction",
  },
  "answers without a balance": {
    edits: [
      [
        '{"accounts": [BANK.balances(i) for i in BANK.lookup(b["customerId"], ids_of(b))]}',
        '{"accounts": []}',
      ],
    ],
    rule: "each account that is asked for has its three balances, in its currency",
  },
  "answers with another account's details": {
    edits: [
      [
        "[BANK.accounts[i] for i in BANK.lookup(",
        '[{**BANK.accounts["A-3"], "id": i} for i in BANK.lookup(',
      ],
    ],
    rule: "accounts are looked up by id, as they are listed, and unknown ones left out",
  },
  "shows entries under another account": {
    edits: [
      [
        'answer = {"account": account, "transactions"',
        'answer = {"account": self.accounts["A-3"], "transactions"',
      ],
    ],
    rule: "pages together hold every entry once, newest first",
  },
  "shows standing orders under another account": {
    edits: [['"customerId"]), "standing', '"customerId"]) and BANK.accounts["A-3"], "standing']],
    rule: "standing orders are listed",
  },
  "reports whatever the status": {
    edits: [['and status != "pending")', ")"]],
    rule: "a report holds the entries of the status and the days that were asked for",
  },
  "reports from the beginning": {
    edits: [["date_from <= row[0] <= date_to", "row[0] <= date_to"]],
    rule: "a report holds the entries of the status and the days that were asked for",
  },
  "leaves the last day out": {
    edits: [["row[0] <= date_to", "row[0] < date_to"]],
    rule: "a report holds the entries of the status and the days that were asked for",
  },
  "executes again what has come to its end": {
    edits: [
      [
        "lambda b, q, p: BANK.progress(p)",
        "lambda b, q, p: BANK.payments.get(p, {}).update(told=True) or BANK.progress(p)",
      ],
      [
        '                raise Problem("conflict")\n',
        '                raise Problem("conflict")\n            "told" in self.payments[id] and self.enter(body["debit"]["accountId"], -self.payments[id]["amount"], "Again")\n',
      ],
    ],
    rule: "a payment sent again and another body under its id, a conflict, change nothing",
  },
  "looks another account up": {
    edits: [
      ["[BANK.accounts[i] for i in BANK.lookup(", '[BANK.accounts["A-3"] for i in BANK.lookup('],
    ],
    rule: "accounts are looked up by id, as they are listed, and unknown ones left out",
  },
  "shows a standing order that pays in": {
    edits: [
      [
        ', "standingOrders": []}',
        ', "standingOrders": [{"id": "S-1", "amount": money(5, BANK.accounts[a]["currency"]), "counterparty": {}, "startDate": "2026-01-01", "frequency": "Monthly"}]}',
      ],
    ],
    rule: "standing orders are listed",
  },
  "goes on after the last entry with pages that have none": {
    edits: [
      ["len(rows) > limit", "True"],
      ["page[-1][:2]])", 'page[-1][:2] if page else ["", (after or ["", 0])[1] - 1]])'],
    ],
    rule: "pages together hold every entry once, newest first",
  },
  "shows pages out of order": {
    edits: [["for row in reversed(rows) if", "for row in rows if"]],
    rule: "pages together hold every entry once, newest first",
  },
  "feeds changes backwards": {
    edits: [["self.changes[start:start + limit]", "self.changes[start:start + limit][::-1]"]],
    rule: "the feed names each payment that has changed, in the order of the changes",
  },
  "answers with another payment": {
    edits: [
      [
        'return {"paymentId": id, "history"',
        'return {"paymentId": id[:-1] + ("1" if id[-1] == "0" else "0"), "history"',
      ],
    ],
    rule: "a payment is known by its id, and an unknown one is unknown-payment",
  },
} as const satisfies Record<string, CoreBankMistake>;

/** The change for `startExample`; throws when the source has not what is to be changed. */
export function withMistake({ edits }: Pick<CoreBankMistake, "edits">) {
  return (source: string): string =>
    edits.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the example core bank has no ${from}`);
      return text.replace(from, () => to);
    }, source);
}
