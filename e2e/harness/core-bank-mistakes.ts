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

const PAID = "enter(account, -amount, creditor)";
const MOVING_PAGES = ["reversed(ENTRIES[id][:entered])", "reversed(ENTRIES[id])"] as const;

const SENT = "        self.wfile.write(data)";
/** Of the calls that this expression is about; the connection ends with it. */
export const halfAnswer = (when: string) =>
  [
    SENT,
    `        if ${when}:\n            data, self.close_connection = data[: len(data) // 2], True\n${SENT}`,
  ] as const;

/** What a core bank may do wrong, by its name. */
export const coreBankMistakes = {
  "executes a payment twice": {
    edits: [[PAID, `[${PAID} for _ in range(2)]`]],
    rule: "50 submissions of one payment at once execute it once",
  },
  "answers another customer's account": {
    edits: [["if id not in owned(customer):", "if owned(customer) is None or id not in ACCOUNTS:"]],
    rule: "an account of another customer is unknown-account",
  },
  "serves a blocked customer": {
    edits: [["if customer in BLOCKED:", "if False:"]],
    rule: "a customer whom the bank has blocked is customer-blocked, wherever one is named",
  },
  "looks up another customer's account": {
    edits: [
      [
        "for id in owned(customer) if id in ids]",
        "for id in [owned(customer) and None, *ids] if id in ACCOUNTS]",
      ],
    ],
    rule: "accounts are looked up by id, as they are listed, and unknown ones left out",
  },
  "moves pages under writes": {
    edits: [MOVING_PAGES],
    rule: "pages of a report do not move while entries are written",
  },
  "moves pages under writes that come late": {
    edits: [
      MOVING_PAGES,
      [PAID, "threading.Timer(3, enter, (account, -amount, creditor)).start()"],
    ],
    rule: "pages of a report do not move while entries are written",
  },
  "leaves an entry out of a later page": {
    edits: [["rows[start:end], **more", "rows[start + (start > 0):end], **more"]],
    rule: "pages together hold every entry once, newest first",
  },
  "forgets on restart": {
    edits: [[HANDLER, `        self.path == "/restart" and PAYMENTS.clear()\n${HANDLER}`]],
    rule: "after a restart nothing is forgotten",
  },
  hangs: { edits: [late(60)], rule: "standing orders are listed" },
  "ignores the deadline": { edits: [late(3)], rule: "standing orders are listed" },
  "gives every currency two decimals": {
    edits: [["{FRACTION_DIGITS.get(currency, 2)}", "2"]],
    rule: "amounts have as many decimals as ISO 4217 gives their currency",
  },
  rounds: {
    edits: [["{Decimal(amount):", "{round(Decimal(amount)):"]],
    rule: "50 submissions of one payment at once execute it once",
  },
  "accepts a conflict": {
    edits: [['if id in PAYMENTS and PAYMENTS[id]["body"] != body:', "if False:"]],
    rule: "a payment sent again and another body under its id, a conflict, change nothing",
  },
  "lies about funds": {
    edits: [['available >= Decimal(amount["amount"])}', "True}"]],
    rule: "the smallest amount is confirmed, and one that is out of reach is not",
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
    edits: [
      [
        "if not after.isdecimal() or int(after) > len(PAYMENTS):",
        'if not after.isdecimal():\n        after = "0"\n    if False:',
      ],
    ],
    rule: "a cursor or a position that the core bank has not made is expired-cursor",
  },
  "leaves out a member of an answer": {
    edits: [[', "standingOrders": []}', "}"]],
    rule: "standing orders are listed",
  },
  "sends half an answer": {
    edits: [halfAnswer('"standing" in self.path')],
    rule: "standing orders are listed",
  },
  "moves a status backwards": {
    edits: [
      [
        'return {"paymentId": id, "history": PAYMENTS[id]["history"]}',
        'PAYMENTS[id]["read"] = PAYMENTS[id].get("read", 0) + 1\n    return {"paymentId": id, "history": PAYMENTS[id]["history"][: 1 if PAYMENTS[id]["read"] > 1 else None], "nextAt": datetime.now(timezone.utc).isoformat()}',
      ],
    ],
    rule: "a payment is known by its id, and an unknown one is unknown-payment",
  },
  "forgets a change in the feed": {
    edits: [["for id in page]", "for id in page if list(PAYMENTS).index(id) % 2]"]],
    rule: "the feed names each payment that has changed, in the order of the changes",
  },
  "settles what it has not accepted": {
    edits: [['("ACCP", "ACSP", "ACSC")', '("ACSP", "ACSC")']],
    rule: "a status never goes backwards",
  },
  "does not say when it knows more": {
    edits: [['("ACCP", "ACSP", "ACSC")', '("ACCP",)']],
    rule: "a status never goes backwards",
  },
  "does not say why it rejects": {
    edits: [['"at": at, "reason": reason}', '"at": at}']],
    rule: "a payment out of reach is rejected with a reason, and enters nothing",
  },
  "executes what its quote refuses": {
    edits: [["        if not reason:", "        reason = None\n        if not reason:"]],
    rule: "a payment out of reach is rejected with a reason, and enters nothing",
  },
  "finds an entry under any account": {
    edits: [
      [
        "found = [entry for entry in ENTRIES[id]",
        "found = [entry for entries in ENTRIES.values() for entry in entries",
      ],
    ],
    rule: "an entry of another account is unknown-transaction",
  },
  "answers without a balance": {
    edits: [
      [
        '[{"account": one, "balances": balances(one)} for one in accounts_of(customerId, ids)]',
        "accounts_of(customerId, ids)[:0]",
      ],
    ],
    rule: "each account that is asked for has its three balances, in its currency",
  },
  "answers with another account's details": {
    edits: [["[ACCOUNTS[id] for id in owned", '[{**ACCOUNTS["A-3"], "id": id} for id in owned']],
    rule: "accounts are looked up by id, as they are listed, and unknown ones left out",
  },
  "shows entries under another account": {
    edits: [
      [
        'return {"account": account, "transactions"',
        'return {"account": ACCOUNTS["A-3"], "transactions"',
      ],
    ],
    rule: "pages together hold every entry once, newest first",
  },
  "shows standing orders under another account": {
    edits: [['id), "standing', 'id) and ACCOUNTS["A-3"], "standing']],
    rule: "standing orders are listed",
  },
  "reports whatever the status": {
    edits: [[' and status != "pending"', ""]],
    rule: "a report holds the entries of the status and the days that were asked for",
  },
  "reports from the beginning": {
    edits: [['dateFrom <= entry["day"] <= dateTo', 'entry["day"] <= dateTo']],
    rule: "a report holds the entries of the status and the days that were asked for",
  },
  "leaves the last day out": {
    edits: [['entry["day"] <= dateTo', 'entry["day"] < dateTo']],
    rule: "a report holds the entries of the status and the days that were asked for",
  },
  "executes again what has come to its end": {
    edits: [
      [
        "    if id not in PAYMENTS:\n        customer",
        '    if id in PAYMENTS and "told" in PAYMENTS[id]:\n        enter(body["debit"]["accountId"], -PAYMENTS[id]["amount"], "Again")\n    if id not in PAYMENTS:\n        customer',
      ],
      [
        '@operation("GET", "/payments/{}")\n',
        'operation("GET", "/payments/{}")(lambda id: PAYMENTS.get(id, {}).update(told=True) or get_payment(id))\n\n',
      ],
    ],
    rule: "a payment sent again and another body under its id, a conflict, change nothing",
  },
  "looks another account up": {
    edits: [["[ACCOUNTS[id] for id in owned", '[ACCOUNTS["A-3"] for id in owned']],
    rule: "accounts are looked up by id, as they are listed, and unknown ones left out",
  },
  "shows a standing order that pays in": {
    edits: [
      [
        ', "standingOrders": []}',
        ', "standingOrders": [{"id": "S-1", "amount": money(5, ACCOUNTS[id]["currency"]), "counterparty": {}, "startDate": "2026-01-01", "frequency": "Monthly"}]}',
      ],
    ],
    rule: "standing orders are listed",
  },
  "goes on after the last entry with pages that have none": {
    edits: [["if end < len(rows) else", "if True else"]],
    rule: "pages together hold every entry once, newest first",
  },
  "shows pages out of order": {
    edits: [["for entry in reversed(ENTRIES[id][:entered])", "for entry in ENTRIES[id][:entered]"]],
    rule: "pages together hold every entry once, newest first",
  },
  "feeds changes backwards": {
    edits: [["[:int(limit)]", "[:int(limit)][::-1]"]],
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
