"""A core bank in memory that keeps Drawbridge's contract (docs/core-bank.openapi.yaml), to start from.

    python3 core_bank.py [PORT]

It needs Python 3.9 and nothing else, and speaks plain HTTP, for one machine alone. Each operation of the contract is a
function: replace their bodies by calls of your own system. docs/core-bank.md says what Drawbridge relies on.
"""
import json, re, sys, threading, traceback
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

CUSTOMERS = {"C-1": ["A-1", "A-2"], "C-2": ["A-3"], "C-3": []}
BLOCKED = {"C-3"}  # customers whom the bank has blocked in all channels
PAYMENT_LIMIT, DAY_LIMIT = 5000, 10000  # of each currency: this bank has no rates
FRACTION_DIGITS = {"JPY": 0, "BHD": 3}
ACCOUNTS = {id: {
    "id": id, "iban": iban, "currency": currency, "bic": "DRWBROBU", "name": "Current account", "product": "Current",
    "usage": "PRIV", "status": "enabled", "isDefault": True, "owners": [{"name": owner, "role": "owner"}],
} for id, iban, currency, owner in (
    ("A-1", "RO95DRWB0000000000000101", "RON", "Maria Ionescu"),
    ("A-2", "RO68DRWB0000000000000102", "JPY", "Maria Ionescu"),
    ("A-3", "RO41DRWB0000000000000103", "BHD", "Dan Pop"),
)}
ENTRIES = {id: [] for id in ACCOUNTS}  # by account, oldest first: an entry never changes, and later ones follow it
BALANCES = {id: Decimal(0) for id in ACCOUNTS}
PAYMENTS = {}  # by id, in the order in which they came to their ends, which is at once
OPERATIONS = []
LOCK = threading.Lock()  # one operation at a time

class Problem(Exception):
    """RFC 9457, with a type of the contract's closed list."""
    STATUS = {"customer-blocked": 403, "conflict": 409, "expired-cursor": 410, "malformed-request": 400,
              "not-authorised": 401, "overloaded": 503, "unavailable": 503}

def operation(method, path):
    """Parts of the path come in their order, members of the query or of the body by their names."""
    pattern = re.compile(path.replace("{}", "([^/]+)"))
    return lambda run: OPERATIONS.append((method, pattern, run)) or run

def money(amount, currency):
    return {"amount": f"{Decimal(amount):.{FRACTION_DIGITS.get(currency, 2)}f}", "currency": currency}

def day(days_from_now):
    return (datetime.now(timezone.utc) + timedelta(days=days_from_now)).date().isoformat()

def enter(account, amount, name, days_ago=0):
    BALANCES[account] += amount
    ENTRIES[account].append({
        "id": f"{account}-{len(ENTRIES[account])}", "status": "booked", "day": day(-days_ago),
        "amount": money(amount, ACCOUNTS[account]["currency"]), "counterparty": {"name": name},
        "bankTransactionCode": "PMNT-ICDT-ESCT" if amount < 0 else "PMNT-RCDT-ESCT"})

def owned(customer):
    """Ids of accounts. Every question about a blocked customer is refused."""
    if customer in BLOCKED:
        raise Problem("customer-blocked")
    return CUSTOMERS.get(customer, [])

def account_of(customer, id):
    """Of this customer now: who has lost an account since a consent was given does not see it any more."""
    if id not in owned(customer):
        raise Problem("unknown-account")
    return ACCOUNTS[id]

def accounts_of(customer, ids):
    if not isinstance(ids, list):
        raise Problem("malformed-request")
    return [ACCOUNTS[id] for id in owned(customer) if id in ids]

def used_today(customer, currency):
    return sum(paid["amount"] for paid in PAYMENTS.values()
               if (paid["customer"], paid["currency"]) == (customer, currency)
               and paid["history"][-1]["status"] != "RJCT" and paid["history"][0]["at"][:10] == day(0))

def refusal(customer, amount, currency):
    if amount > PAYMENT_LIMIT:
        return "psu-limit"
    return "day-limit" if used_today(customer, currency) + amount > DAY_LIMIT else None

@operation("GET", "/customers/{}/accounts")
def list_accounts(customer):
    if customer not in CUSTOMERS:
        raise Problem("unknown-customer")
    return {"accounts": [{**ACCOUNTS[id], "mayPay": True} for id in owned(customer)]}

@operation("POST", "/accounts/lookup")
def lookup_accounts(customerId, ids):
    return {"accounts": accounts_of(customerId, ids)}

@operation("POST", "/balances/lookup")
def lookup_balances(customerId, ids):
    def balances(account):
        amount = money(BALANCES[account["id"]], account["currency"])
        today = sum(Decimal(one["amount"]["amount"]) for one in ENTRIES[account["id"]] if one["day"] == day(0))
        closing = money(BALANCES[account["id"]] - today, account["currency"])
        return [{"type": "closingBooked", "amount": closing, "referenceDate": day(-1)},
                {"type": "expected", "amount": amount},
                {"type": "forwardAvailable", "amount": amount, "referenceDate": day(1)}]
    return {"accounts": [{"account": one, "balances": balances(one)} for one in accounts_of(customerId, ids)]}

@operation("GET", "/accounts/{}/transactions")
def list_transactions(id, customerId, status, dateFrom, dateTo, limit, cursor=None):
    """All pages of a report show the books as they were at the first one, whatever is entered meanwhile."""
    account = account_of(customerId, id)
    place = re.fullmatch(r"(\d+)-(\d+)", cursor or f"{len(ENTRIES[id])}-0")
    if not place or not int(place[2]) <= int(place[1]) <= len(ENTRIES[id]):
        raise Problem("expired-cursor")
    entered, start, end = int(place[1]), int(place[2]), int(place[2]) + int(limit)
    rows = [entry for entry in reversed(ENTRIES[id][:entered])
            if dateFrom <= entry["day"] <= dateTo and status != "pending"]
    more = {"cursor": f"{entered}-{end}"} if end < len(rows) else {}
    return {"account": account, "transactions": rows[start:end], **more}

@operation("GET", "/accounts/{}/transactions/{}")
def get_transaction(id, transaction, customerId):
    account = account_of(customerId, id)
    found = [entry for entry in ENTRIES[id] if entry["id"] == transaction]
    if not found:
        raise Problem("unknown-transaction")
    return {"account": account, "transaction": found[0]}

@operation("GET", "/accounts/{}/standing-orders")
def list_standing_orders(id, customerId):
    return {"account": account_of(customerId, id), "standingOrders": []}

@operation("POST", "/funds-checks")
def check_funds(accountId, customerId, amounts):
    """An amount in another currency is not compared."""
    account, available = account_of(customerId, accountId), BALANCES[accountId]
    compared = [{"amount": amount, "covered": available >= Decimal(amount["amount"])}
                if amount["currency"] == account["currency"] else None for amount in amounts]
    return {"currency": account["currency"], "status": account["status"], "compared": compared}

@operation("POST", "/payments/quote")
def quote_payment(customerId, order):
    """Changes nothing. Payments are in the account's currency and free."""
    iban, currency = order["debtor"]["iban"], order["amount"]["currency"]
    own = [one for one in map(ACCOUNTS.get, owned(customerId)) if (one["iban"], one["currency"]) == (iban, currency)]
    if not own or order["debtor"].get("currency", currency) != currency:
        raise Problem("unknown-account")
    id, amount, fee = own[0]["id"], Decimal(order["amount"]["amount"]), money(0, currency)
    reason = refusal(customerId, amount, currency)
    return {"account": own[0], "debit": {"accountId": id, "amount": order["amount"], "fee": fee}, "fee": fee,
            "fundsAvailable": BALANCES[id] >= amount, **({"refusal": reason} if reason else {})}

@operation("GET", "/payments/changes")
def list_changes(after="0", limit=100):
    if not after.isdecimal() or int(after) > len(PAYMENTS):
        raise Problem("expired-cursor")
    page = list(PAYMENTS)[int(after):][:int(limit)]
    return {"changes": [get_payment(id) for id in page], "next": str(int(after) + len(page))}

@operation("GET", "/payments/{}")
def get_payment(id):
    if id not in PAYMENTS:
        raise Problem("unknown-payment")
    return {"paymentId": id, "history": PAYMENTS[id]["history"]}

@operation("PUT", "/payments/{}")
def submit_payment(id, **body):
    """The id decides: the same body again is answered with how far the payment has come, another is a conflict.

    Where a crash can come between, the id, the entry and the change of the feed are written in one transaction.
    Without funds a payment is rejected at once, whatever `rejectWithoutFunds` says."""
    if id in PAYMENTS and PAYMENTS[id]["body"] != body:
        raise Problem("conflict")
    if id not in PAYMENTS:
        customer, account, creditor = body["customerId"], body["debit"]["accountId"], body["order"]["creditor"]["name"]
        amount, currency = Decimal(body["debit"]["amount"]["amount"]), body["debit"]["amount"]["currency"]
        at, own = datetime.now(timezone.utc).isoformat(), ACCOUNTS.get(account, {})
        is_theirs = account in CUSTOMERS.get(customer, []) and customer not in BLOCKED and (
            own["iban"], own["currency"]) == (body["order"]["debtor"]["iban"], currency)
        reason = "account-blocked" if not is_theirs else refusal(customer, amount, currency) or (
            None if BALANCES[account] >= amount else "no-funds")
        if not reason:
            enter(account, -amount, creditor)
        history = [{"status": "RJCT", "at": at, "reason": reason}] if reason else [
            {"status": status, "at": at} for status in ("ACCP", "ACSP", "ACSC")]
        PAYMENTS[id] = {
            "body": body, "customer": customer, "amount": amount, "currency": currency, "history": history}
    return get_payment(id)

@operation("GET", "/customers/{}/limits")
def get_limits(customer):
    if customer not in CUSTOMERS:
        raise Problem("unknown-customer")
    currency = next((ACCOUNTS[id]["currency"] for id in owned(customer)), "RON")
    return {"onePayment": money(PAYMENT_LIMIT, currency), "day": money(DAY_LIMIT, currency),
            "usedToday": money(used_today(customer, currency), currency)}

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet
    log_message = lambda *_: None

    def answer(self):
        target = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            path, run = next(((path, run) for method, pattern, run in OPERATIONS
                              if method == self.command and (path := pattern.fullmatch(target.path))), (None, None))
            if not path:
                raise Problem("malformed-request")
            with LOCK:
                given = json.loads(body) if body else dict(parse_qsl(target.query))
                status, answer = 200, run(*map(unquote, path.groups()), **given)
        except Exception as error:
            name = str(error) if isinstance(error, Problem) else "unavailable"
            if name == "unavailable":
                traceback.print_exc()
            status = Problem.STATUS.get(name, 404)
            answer = {"type": f"urn:drawbridge:core-bank:{name}", "status": status}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json" if status == 200 else "application/problem+json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = answer

if __name__ == "__main__":
    for account, count in (("A-1", 250), ("A-2", 20), ("A-3", 5)):
        enter(account, 10000, "Salary", 80)
        for nth in range(count):
            enter(account, -1 - nth % 7, f"Shop {nth}", 80 - nth * 80 // count)
    ThreadingHTTPServer.request_queue_size = 256  # connections that come at once; with 5 some would wait for seconds
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if sys.argv[1:] else 9443), Handler)
    print(f"Port {server.server_port}; the customers are C-1, C-2 and C-3, who is blocked.", flush=True)
    server.serve_forever()
