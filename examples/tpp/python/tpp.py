#!/usr/bin/env python3
"""A TPP in one file: python3 tpp.py CERTIFICATES accounts|pay

CERTIFICATES is a folder with qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem, as the sandbox makes them at
http://localhost:3000/sandbox/workshop. It needs the package cryptography.

It prints the address at which the PSU authorises, and waits for the PSU's browser at http://localhost:8080/callback.
XS2A_URL names another bank than the sandbox of this machine, PORT another port, DEBTOR_IBAN another account to pay from
than ana's at the demo bank; a sandbox with another bank's profile needs it.
"""
import base64
import hashlib
import http.client
import http.server
import json
import os
import secrets
import ssl
import sys
import time
import uuid
from datetime import date, timedelta
from email.utils import formatdate
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

XS2A = os.environ.get("XS2A_URL", "https://localhost:8443")
PORT = int(os.environ.get("PORT", "8080"))
REDIRECT_URI = f"http://localhost:{PORT}/callback"
AISP = "/open-banking/v3.1/aisp/v1"
PISP = "/open-banking/v3.1/pisp/v1"
# What has to be signed whenever the request has it.
COVERED = ["digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri", "tpp-nok-redirect-uri"]


class Refused(Exception):
    """The bank's own reasons."""


# region connect
class Tpp:
    def __init__(self, folder: Path):
        # The QWAC is shown in TLS, and the bank is the one whose certificate ca.pem has issued.
        self.tls = ssl.create_default_context(cafile=str(folder / "ca.pem"))
        self.tls.load_cert_chain(folder / "qwac.pem", folder / "qwac.key")
        qwac = x509.load_pem_x509_certificate((folder / "qwac.pem").read_bytes())
        # organizationIdentifier: there is no registration, it is the OAuth client_id.
        self.client_id = qwac.subject.get_attributes_for_oid(x509.ObjectIdentifier("2.5.4.97"))[0].value
        self.seal = x509.load_pem_x509_certificate((folder / "qseal.pem").read_bytes())
        self.key = serialization.load_pem_private_key((folder / "qseal.key").read_bytes(), None)
    # endregion

    def send(self, method: str, url: str, headers: dict, body: bytes = b""):
        """Status and members of the answer; sent again up to three times, with the same headers, when none came."""
        address = urlsplit(url)
        target = address.path + (f"?{address.query}" if address.query else "")
        for last in (False, False, False, True):
            connection = http.client.HTTPSConnection(address.netloc, context=self.tls, timeout=30)
            try:
                connection.request(method, target, body or None, headers)
                answer = connection.getresponse()
                content = answer.read()
                return answer.status, json.loads(content) if content else {}
            except ValueError:
                # A proxy's page, for instance.
                raise Refused(f"HTTP {answer.status} without JSON") from None
            except (OSError, http.client.HTTPException):
                if last:
                    raise
                time.sleep(1)
            finally:
                connection.close()

    # region sign
    def call(self, method: str, target: str, headers: dict | None = None, body: dict | None = None) -> dict:
        """A signed call of the interface. Raises Refused."""
        content = b"" if body is None else json.dumps(body).encode()
        asked = {
            "accept": "application/json",
            # Sent again, a request has the same id: with it the bank does nothing twice.
            "x-request-id": str(uuid.uuid4()),
            "date": formatdate(usegmt=True),
            "psu-ip-address": "127.0.0.1",
            "digest": "SHA-256=" + base64.b64encode(hashlib.sha256(content).digest()).decode(),
            **({"content-type": "application/json"} if content else {}),
            **(headers or {}),
        }
        names = [name for name in COVERED if name in asked]
        signing_string = "\n".join(f"{name}: {asked[name]}" for name in names)
        asked["signature"] = ",".join(
            [
                f'keyId="{self.key_id()}"',
                f'algorithm="{"rsa" if isinstance(self.key, rsa.RSAPrivateKey) else "ecdsa"}-sha256"',
                f'headers="{" ".join(names)}"',
                # As http.client sends it.
                f'signature="{self.sign(signing_string.encode("latin-1"))}"',
            ]
        )
        der = self.seal.public_bytes(serialization.Encoding.DER)
        asked["tpp-signature-certificate"] = base64.b64encode(der).decode()
        status, answer = self.send(method, XS2A + target, asked, content)
        print(f"{method} {target}: {status}")
        if status >= 400:
            raise Refused(json.dumps(answer))
        return answer

    def key_id(self) -> str:
        """Serial number in hexadecimal and the issuer's name (RFC 4514), its values percent-encoded."""
        parts = [part for several in reversed(self.seal.issuer.rdns) for part in several]
        issuer = ",".join(f"{part.rfc4514_attribute_name}={quote(part.value)}" for part in parts)
        return f"SN={self.seal.serial_number:X},CA={issuer}"

    def sign(self, text: bytes) -> str:
        if isinstance(self.key, rsa.RSAPrivateKey):
            value = self.key.sign(text, padding.PKCS1v15(), hashes.SHA256())
        else:
            value = self.key.sign(text, ec.ECDSA(hashes.SHA256()))
        return base64.b64encode(value).decode()
    # endregion

    # region authorised
    def authorised(self, scope: str, sca_oauth: str) -> str:
        """Has the PSU authorise the resource; the access token for it (authorisation code with PKCE, RFC 7636)."""
        _, server = self.send("GET", sca_oauth, {"accept": "application/json"})
        verifier, state = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "scope": scope,
            "redirect_uri": REDIRECT_URI,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        print(f"The PSU authorises it here: {server['authorization_endpoint']}?{urlencode(asked)}", flush=True)
        came = redirect()
        if came.get("state") != state or came.get("iss") != server["issuer"]:
            raise Refused("the redirect is not of this authorisation")
        if "code" not in came:
            raise Refused(f"the PSU did not agree: {came.get('error')}")
        form = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": came["code"],
            "redirect_uri": REDIRECT_URI,
            "code_verifier": verifier,
        }
        kind = {"content-type": "application/x-www-form-urlencoded"}
        status, token = self.send("POST", server["token_endpoint"], kind, urlencode(form).encode())
        if status != 200:
            raise Refused(json.dumps(token))
        return token["access_token"]
    # endregion


def redirect() -> dict:
    """What the bank sends the PSU's browser back with."""
    arrived = []

    class Callback(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            parameters = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            if "code" in parameters or "error" in parameters:
                arrived.append(parameters)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"You can close this window.")

        def log_message(self, *_):
            """The address holds the code."""

    with http.server.HTTPServer(("localhost", PORT), Callback) as listener:
        while not arrived:
            listener.handle_request()
    return arrived[0]


# region accounts
def accounts(tpp: Tpp) -> None:
    consent = {
        "access": {"balances": [], "transactions": []},
        "recurringIndicator": True,
        "validUntil": (date.today() + timedelta(days=90)).isoformat(),
        "frequencyPerDay": 4,
        "combinedServiceIndicator": False,
    }
    created = tpp.call("POST", f"{AISP}/consents", {"tpp-redirect-uri": REDIRECT_URI}, consent)
    consent_id = created["consentId"]
    print(tpp.call("GET", f"{AISP}/consents/{consent_id}/status")["consentStatus"])
    token = tpp.authorised(f"AIS:{consent_id}", created["_links"]["scaOAuth"]["href"])
    shown = {"consent-id": consent_id, "authorization": f"Bearer {token}"}
    for account in tpp.call("GET", f"{AISP}/accounts", shown)["accounts"]:
        path = f"{AISP}/accounts/{quote(account['resourceId'], safe='')}"
        month_ago = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 30 * 86_400))
        try:
            balances = tpp.call("GET", f"{path}/balances", shown)["balances"]
            report = tpp.call("GET", f"{path}/transactions?bookingStatus=booked&dateFrom={month_ago}", shown)
        except Refused as refusal:
            # One account may be blocked, and the others are not.
            print(account["iban"], account["currency"], refusal)
            continue
        listed = report["transactions"]["booked"]
        print(account["iban"], account["currency"])
        for balance in balances:
            print(f"  {balance['balanceType']}: {balance['balanceAmount']['amount']}")
        for entry in listed[:3]:
            print(f"  {entry['bookingDate']}: {entry['transactionAmount']['amount']}")
# endregion


# region pay
def pay(tpp: Tpp) -> None:
    payment = {
        "debtorAccount": {"iban": os.environ.get("DEBTOR_IBAN", "RO76DRWB0001000000000102")},
        "instructedAmount": {"currency": "EUR", "amount": "12.50"},
        "creditorAccount": {"iban": "DE89370400440532013000"},
        "creditorName": "Bakery",
    }
    product = f"{PISP}/payments/sepa-credit-transfers"
    created = tpp.call("POST", product, {"tpp-redirect-uri": REDIRECT_URI}, payment)
    tpp.authorised(f"PIS:{created['paymentId']}", created["_links"]["scaOAuth"]["href"])
    while True:
        status = tpp.call("GET", f"{product}/{created['paymentId']}/status")["transactionStatus"]
        print(status)
        if status in ("ACSC", "ACCC", "RJCT", "CANC"):
            return
        time.sleep(1)
# endregion


if __name__ == "__main__":
    commands = {"accounts": accounts, "pay": pay}
    if len(sys.argv) != 3 or sys.argv[2] not in commands:
        sys.exit(__doc__)
    try:
        commands[sys.argv[2]](Tpp(Path(sys.argv[1])))
    except Refused as refusal:
        sys.exit(f"Refused: {refusal}")
