#!/usr/bin/env python3
"""A core bank in memory that keeps Drawbridge's contract (docs/core-bank.openapi.yaml), to start from.

    python3 core_bank.py [--port 9443] [--cert FILE --key FILE --client-ca FILE]

It needs Python 3.9 and nothing else. Without certificates it speaks plain HTTP, for one machine alone. Replace the
class Bank by calls of your own system; what the class promises in its comments is what Drawbridge relies on.
"""

import argparse
import base64
import bisect
import itertools
import json
import re
import ssl
import threading
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

FRACTION_DIGITS = {"JPY": 0, "BHD": 3}
BLOCKED = {"C-3"}  # customers whom the bank has blocked in all channels
PAYMENT_LIMIT, DAY_LIMIT = Decimal("5000"), Decimal("10000")


def money(amount, currency):
    digits = FRACTION_DIGITS.get(currency, 2)
    return {"amount": f"{Decimal(amount):.{digits}f}", "currency": currency}


def now():
    return datetime.now(timezone.utc)


def iso(instant):
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ids_of(body):
    if not isinstance(body["ids"], list):
        raise Problem("malformed-request", "ids is a list")
    return body["ids"]


class Problem(Exception):
    STATUS = {"customer-blocked": 403, "conflict": 409, "expired-cursor": 410, "malformed-request": 400}

    def __init__(self, name, detail=""):
        self.status = self.STATUS.get(name, 404)
        self.body = {"type": f"urn:drawbridge:core-bank:{name}", "status": self.status, "detail": detail}


class Bank:
    """Everything happens under one lock, and every change has a number: `clock` counts them."""

    def __init__(self):
        self.lock = threading.RLock()
        self.clock = 0
        self.accounts, self.owners = {}, {}
        self.entries = {}  # account id: (day, number of the change, entry), oldest first; all are booked at once
        self.payments, self.changes = {}, []
        for customer, name, rows in (
            ("C-1", "Maria Ionescu", (("A-1", "RO95DRWB0000000000000101", "RON", 250), ("A-2", "RO68DRWB0000000000000102", "JPY", 20))),
            ("C-2", "Dan Pop", (("A-3", "RO41DRWB0000000000000103", "BHD", 5),)),
        ):
            self.owners[customer] = [row[0] for row in rows]
            for id, iban, currency, count in rows:
                self.accounts[id] = {
                    "id": id, "iban": iban, "currency": currency, "bic": "DRWBROBU", "name": "Current account",
                    "product": "Current", "usage": "PRIV", "status": "enabled", "isDefault": True,
                    "owners": [{"name": name, "role": "owner"}],
                }
                self.entries[id] = []
                self.enter(id, Decimal("10000"), "Salary")
                for nth in range(count):
                    self.enter(id, Decimal(-1 - nth % 7), f"Shop {nth}", now() - timedelta(days=nth % 80))

    def enter(self, account, amount, text, at=None):
        with self.lock:
            self.clock += 1
            day = (at or now()).date().isoformat()
            entry = {"id": f"T-{self.clock}", "status": "booked", "day": day,
                     "amount": money(amount, self.accounts[account]["currency"]), "counterparty": {"name": text},
                     "bankTransactionCode": "PMNT-ICDT-ESCT" if amount < 0 else "PMNT-RCDT-ESCT"}
            bisect.insort(self.entries[account], (day, self.clock, entry))

    # -- reads

    def owned(self, customer):
        """The accounts of a customer; for a blocked customer every question is refused."""
        if customer in BLOCKED:
            raise Problem("customer-blocked")
        return self.owners.get(customer, ())

    def account(self, id, customer):
        """Of this customer now: who has lost an account since a consent was given does not see it any more."""
        if id not in self.owned(customer):
            raise Problem("unknown-account")
        return self.accounts[id]

    def lookup(self, customer, ids):
        owned = self.owned(customer)
        return [id for id in ids if id in owned]

    def accounts_of(self, customer):
        own = self.owned(customer)
        if not own:
            raise Problem("unknown-customer")
        return {"accounts": [{**self.accounts[id], "mayPay": True} for id in own]}

    def balance(self, id):
        return sum((Decimal(entry["amount"]["amount"]) for _, _, entry in self.entries[id]), Decimal(0))

    def balances(self, id):
        amount, today = money(self.balance(id), self.accounts[id]["currency"]), now().date()
        return {"account": self.accounts[id], "balances": [
            {"type": "closingBooked", "amount": amount, "referenceDate": (today - timedelta(days=1)).isoformat()},
            {"type": "expected", "amount": amount},
            {"type": "forwardAvailable", "amount": amount, "referenceDate": (today + timedelta(days=1)).isoformat()},
        ]}

    def transactions(self, id, customer, status, date_from, date_to, limit, cursor):
        """All pages of a report show the books as of the number in the cursor, whatever is entered meanwhile."""
        account = self.account(id, customer)
        try:
            as_of, after = json.loads(base64.urlsafe_b64decode(cursor)) if cursor else (self.clock, None)
        except ValueError:
            raise Problem("expired-cursor")
        rows = self.entries[id][:bisect.bisect_left(self.entries[id], tuple(after)) if after else None]
        rows = (row for row in reversed(rows) if row[1] <= as_of and date_from <= row[0] <= date_to
                and status != "pending")
        rows = list(itertools.islice(rows, limit + 1))
        page, more = rows[:limit], len(rows) > limit
        answer = {"account": account, "transactions": [entry for _, _, entry in page]}
        if more:
            place = json.dumps([as_of, page[-1][:2]]).encode()
            answer["cursor"] = base64.urlsafe_b64encode(place).decode()
        return answer

    def transaction(self, account_id, customer, id):
        account = self.account(account_id, customer)
        found = [entry for _, _, entry in self.entries[account_id] if entry["id"] == id]
        if not found:
            raise Problem("unknown-transaction")
        return {"account": account, "transaction": found[0]}

    def funds(self, account_id, customer, amounts):
        account = self.account(account_id, customer)
        available = self.balance(account_id)
        # This bank has no rates: an amount in another currency is not compared.
        compared = [{"amount": amount, "covered": available >= Decimal(amount["amount"])}
                    if amount["currency"] == account["currency"] else None for amount in amounts]
        return {"currency": account["currency"], "status": account["status"], "compared": compared}

    # -- payments

    def debit_of(self, customer, order):
        own = [self.accounts[id] for id in self.owned(customer)]
        own = [a for a in own if a["iban"] == order["debtor"]["iban"] and a["currency"] == order["amount"]["currency"]
               and order["debtor"].get("currency") in (None, a["currency"])]
        if not own:
            raise Problem("unknown-account")
        account = own[0]
        return account, {"accountId": account["id"], "amount": order["amount"], "fee": money(0, account["currency"])}

    def used_today(self, customer):
        today = now().date()
        return sum((p["amount"] for p in self.payments.values() if p["customer"] == customer
                    and p["at"].date() == today and p["history"][-1]["status"] != "RJCT"), Decimal(0))

    def refusal(self, customer, account, amount):
        if account["status"] != "enabled":
            return "account-blocked"
        if amount > PAYMENT_LIMIT:
            return "psu-limit"
        return "day-limit" if self.used_today(customer) + amount > DAY_LIMIT else None

    def quote(self, customer, order):
        account, debit = self.debit_of(customer, order)
        amount = Decimal(order["amount"]["amount"])
        answer = {"account": account, "debit": debit, "fee": debit["fee"],
                  "fundsAvailable": self.balance(account["id"]) >= amount,
                  "ownLimit": money(PAYMENT_LIMIT, account["currency"])}
        refusal = self.refusal(customer, account, amount)
        return {**answer, "refusal": refusal} if refusal else answer

    def submit(self, id, body):
        """The id decides: the same body again is answered with how far the payment has come, another is a conflict."""
        if id in self.payments:
            if self.payments[id]["body"] != body:
                raise Problem("conflict")
            return self.progress(id)
        order, account_id = body["order"], body["debit"]["accountId"]
        if account_id not in self.owners.get(body["customerId"], ()):
            raise Problem("malformed-request", "not an account of the customer")
        amount = Decimal(body["debit"]["amount"]["amount"])
        account, steps = self.accounts[account_id], []
        refusal = self.refusal(body["customerId"], account, amount)
        funds = self.balance(account_id) >= amount
        if refusal:
            steps.append(("RJCT", refusal))
        elif not funds:
            steps += [("ACCP", None), ("RJCT", "no-funds")]
        else:
            self.enter(account_id, -amount, order["creditor"]["name"])
            steps += [("ACCP", None), ("ACSP", None), ("ACSC", None)]
        history = [{"status": status, "at": iso(now()), **({"reason": reason} if reason else {})} for status, reason in steps]
        self.payments[id] = {"body": body, "customer": body["customerId"], "amount": amount, "at": now(),
                             "history": history, "funds": None if refusal else funds}
        self.changes.append(id)
        return self.progress(id)

    def progress(self, id):
        if id not in self.payments:
            raise Problem("unknown-payment")
        payment = self.payments[id]
        funds = {} if payment["funds"] is None else {"fundsAvailable": payment["funds"]}
        return {"paymentId": id, "history": payment["history"], **funds}

    def changes_after(self, after, limit):
        after = after or "0"
        if not after.isdecimal() or int(after) > len(self.changes):
            raise Problem("expired-cursor", "of another time, or of another core bank")
        start = int(after)
        page = self.changes[start:start + limit]
        return {"changes": [self.progress(id) for id in page], "next": str(start + len(page))}

    def limits(self, customer):
        own = self.owned(customer)
        if not own:
            raise Problem("unknown-customer")
        currency = self.accounts[own[0]]["currency"]
        return {"onePayment": money(PAYMENT_LIMIT, currency), "day": money(DAY_LIMIT, currency),
                "usedToday": money(self.used_today(customer), currency)}


BANK = Bank()
ROUTES = [
    ("GET", r"/customers/([^/]+)/accounts", lambda b, q, c: BANK.accounts_of(c)),
    ("POST", r"/accounts/lookup", lambda b, q: {"accounts": [BANK.accounts[i] for i in BANK.lookup(b["customerId"], ids_of(b))]}),
    ("POST", r"/balances/lookup", lambda b, q: {"accounts": [BANK.balances(i) for i in BANK.lookup(b["customerId"], ids_of(b))]}),
    ("GET", r"/accounts/([^/]+)/transactions", lambda b, q, a: BANK.transactions(
        a, q["customerId"], q["status"], q["dateFrom"], q["dateTo"], int(q["limit"]), q.get("cursor"))),
    ("GET", r"/accounts/([^/]+)/transactions/([^/]+)", lambda b, q, a, t: BANK.transaction(a, q["customerId"], t)),
    ("GET", r"/accounts/([^/]+)/standing-orders", lambda b, q, a: {"account": BANK.account(a, q["customerId"]), "standingOrders": []}),
    ("POST", r"/funds-checks", lambda b, q: BANK.funds(b["accountId"], b["customerId"], b["amounts"])),
    ("POST", r"/payments/quote", lambda b, q: BANK.quote(b["customerId"], b["order"])),
    ("GET", r"/payments/changes", lambda b, q: BANK.changes_after(q.get("after"), int(q.get("limit", 100)))),
    ("PUT", r"/payments/([^/]+)", lambda b, q, p: BANK.submit(p, b)),
    ("GET", r"/payments/([^/]+)", lambda b, q, p: BANK.progress(p)),
    ("GET", r"/customers/([^/]+)/limits", lambda b, q, c: BANK.limits(c)),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        target = urlsplit(self.path)
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        try:
            body = json.loads(raw) if raw else None
            query = {key: values[0] for key, values in parse_qs(target.query).items()}
            for method, pattern, run in ROUTES:
                match = re.fullmatch(pattern, target.path)
                if match and method == self.command:
                    with BANK.lock:
                        return self.send(200, run(body, query, *map(unquote, match.groups())))
            raise Problem("malformed-request", "no such operation")
        except Problem as problem:
            self.send(problem.status, problem.body, "application/problem+json")
        except (KeyError, ValueError, TypeError, ArithmeticError) as error:
            problem = Problem("malformed-request", f"{type(error).__name__}: {error}")
            self.send(problem.status, problem.body, "application/problem+json")

    do_GET = do_POST = do_PUT = answer

    def send(self, status, body, kind="application/json"):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # Connections that come at once and are not accepted yet; with the usual 5 some would wait for seconds.
    request_queue_size = 256


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=9443)
    for name in ("cert", "key", "client-ca"):
        options.add_argument(f"--{name}")
    given = options.parse_args()
    server = Server(("127.0.0.1", given.port), Handler)
    if given.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(given.cert, given.key)
        if given.client_ca:
            context.load_verify_locations(given.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(f"The core bank answers on port {server.server_port}; its customers are C-1, C-2 and C-3, who is blocked.", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
