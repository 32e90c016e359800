"""What schemathesis needs to be a TPP of this bank, and the check on what the bank refuses.

Every generated request is signed (Signing HTTP Messages, draft 10) and sent with an access token where its operation
wants one. In parts of a request that are generated as valid, ids, accounts and days are mostly exchanged for such as
the bank knows: no document can state which those are, and without them hardly anything would be answered with success.
"""

import base64
import datetime
import hashlib
import json
import os
import random
import uuid
from email.utils import formatdate

import requests
import schemathesis
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from hypothesis import strategies
from schemathesis.openapi.checks import UseAfterFree

with open(os.environ["CONFORMANCE_TPP"], encoding="utf8") as file:
    TPP = json.load(file)
KEY = serialization.load_pem_private_key(TPP["sealKey"].encode(), None)
DRAWN = random.Random(1)
COVERED = ("digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri", "tpp-nok-redirect-uri")

# Refused with FORMAT_ERROR for a reason that JSON Schema has no words for: sums, today's date, a certificate's domain,
# what was sent before, and what one part of a request says of another.
NOT_STATABLE = (
    "check digits",
    "certificate",
    "creditorAccount is the account that pays",
    "names an account that no other list names",
    "is not a currency of this product",
    # The product is in the path, and one description is of all products.
    "endToEndIdentification is not supported",
    "chargeBearer is not supported",
    "creditorAgent is missing",
    "creditorAddress is missing",
    "dateTo is before dateFrom",
    "this X-Request-ID has",
    "in the past",
    "lies in the future",
    # Another number for each currency.
    "has more digits after the dot than",
    # Of the account's currency, which a request for funds does not say.
    "has no rate here",
    "days ahead",
    "is valid today only",
    # A following page has a cursor in place of them.
    "bookingStatus is missing",
    "dateFrom is missing",
    "is not a cursor of this bank",
)

# A text without unseen characters, whose pattern is a class of hundreds of them: Hypothesis takes seconds for each value.
SEEN_TEXT = "seen-text"
UNSEEN_IN_PATTERN = r"\u2028-\u202e"
SEEN = strategies.characters(exclude_categories=("C", "Zl", "Zp"))
schemathesis.openapi.format(SEEN_TEXT, strategies.text(SEEN, min_size=1, max_size=12).filter(lambda text: text.strip() == text))

# Consents that may be deleted: nothing else uses them.
spare: dict[str, list[str]] = {"aisp": [], "cbpii": []}


class Signed(requests.auth.AuthBase):
    """The last word on a request, when its bytes are known."""

    def __call__(self, request):
        body = request.body or b""
        if isinstance(body, str):
            body = body.encode("utf8")
        headers = request.headers
        headers["Date"] = formatdate(usegmt=True)
        headers["Digest"] = "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()
        names = [name for name in COVERED if name in headers]
        text = b"\n".join(name.encode() + b": " + as_bytes(headers[name]).strip() for name in names)
        signature = base64.b64encode(KEY.sign(text, padding.PKCS1v15(), hashes.SHA256())).decode()
        headers["Signature"] = (
            f'keyId="{TPP["keyId"]}",algorithm="rsa-sha256",headers="{" ".join(names)}",signature="{signature}"'
        )
        headers["TPP-Signature-Certificate"] = TPP["sealCertificate"]
        return request


schemathesis.auth.set_from_requests(Signed())


def as_bytes(value):
    return value if isinstance(value, bytes) else value.encode("latin-1")


def area_of(case):
    return case.path.split("/")[3]


def is_valid(case, part):
    found = [info for location, info in case.meta.components.items() if location.value == part]
    return all(info.mode.is_positive for info in found)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    def walk(value):
        if isinstance(value, dict):
            if UNSEEN_IN_PATTERN in str(value.get("pattern", "")):
                del value["pattern"]
                value["format"] = SEEN_TEXT
            value = list(value.values())
        if isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(raw_schema)


@schemathesis.hook
def before_call(context, case, kwargs):
    area = area_of(case)
    # The support endpoint is of no area, and needs nothing that the bank knows.
    known = TPP["known"].get(area, {})
    if is_valid(case, "header"):
        case.headers["X-Request-ID"] = str(uuid.uuid4())
        case.headers["PSU-IP-Address"] = "198.51.100.7"
        for name in ("TPP-Redirect-URI", "TPP-Nok-Redirect-URI"):
            if name in case.headers and mostly():
                case.headers[name] = TPP["redirectUri"]
        if "Consent-ID" in case.headers and mostly():
            case.headers["Consent-ID"] = known["consentId"]
    if is_valid(case, "path") and mostly():
        for name in case.path_parameters or {}:
            case.path_parameters[name] = known.get(name, case.path_parameters[name])
    if case.method == "DELETE" and area in spare and case.path_parameters.get("consentId") == known["consentId"]:
        # Whatever has chosen it: the others would have no consent any more.
        case.path_parameters["consentId"] = spare[area].pop() if spare[area] else str(uuid.uuid4())
    if area in spare and (case.path_parameters or known).get("consentId", known["consentId"]) == known["consentId"]:
        case.headers["Authorization"] = f'Bearer {known["token"]}'
    if isinstance(case.body, dict) and is_valid(case, "body") and mostly():
        case.body = as_the_bank_knows(case.body, known)


def mostly():
    return DRAWN.random() < 0.8


def as_the_bank_knows(body, known):
    def walk(value, name=""):
        if isinstance(value, dict):
            return {key: walk(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [walk(inner, name) for inner in value]
        if name == "iban":
            return DRAWN.choice(TPP["ibans"])
        if name in ("validUntil", "cardExpiryDate"):
            return str(datetime.date.today() + datetime.timedelta(days=DRAWN.randint(2, 170)))
        return value

    body = walk(body)
    if body.get("recurringIndicator") is False:
        body = {**body, "validUntil": TPP["today"], "frequencyPerDay": 1}
    if "account" in body and "account" in known:
        body = {**body, "account": known["account"]}
    return body


@schemathesis.hook
def after_call(context, case, response):
    if case.method == "POST" and response.status_code == 201 and area_of(case) in spare:
        spare[area_of(case)].append(response.json()["consentId"])


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """
    A consent that was deleted can still be read, and says that it was terminated (NextGenPSD2 1.3.12). A method that is
    described with its 405 alone is none that `Allow` may name (RFC 9110, 10.2.1).
    """
    if isinstance(failure, UseAfterFree):
        return area_of(case) not in spare or response.status_code != 200
    missing = getattr(failure, "missing_methods", None)
    if missing is None or failure.undocumented_methods:
        return True
    described = case.operation.schema.raw_schema["paths"][case.operation.path]
    return any(status[0] == "2" for method in missing for status in described[method.lower()]["responses"])


@schemathesis.check
def accepts_what_the_document_accepts(context, response, case):
    """A request that the document accepts is not refused for a reason that the document could state."""
    if not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    for message in response.json().get("tppMessages", []):
        if message["code"] == "FORMAT_ERROR" and not any(word in message["text"] for word in NOT_STATABLE):
            raise AssertionError(f'{message.get("path")}: {message["text"]}')
