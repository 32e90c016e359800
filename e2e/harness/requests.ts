import {
  AISP,
  type HttpRequest,
  PISP,
  type Seal,
  type SignedRequest,
  signature,
} from "@/clients/typescript/src";

/** Changes of a request after it has been signed; what a faulty or hostile TPP would send. */
export function without(...names: readonly string[]) {
  return (request: SignedRequest): SignedRequest => ({
    ...request,
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !names.includes(name)),
    ),
  });
}

export function having(headers: Readonly<Record<string, string>>) {
  return (request: SignedRequest): SignedRequest => ({
    ...request,
    headers: { ...request.headers, ...headers },
  });
}

/** The header sent once more. */
export function alsoHaving(name: string, value: string) {
  return (request: SignedRequest): HttpRequest => ({
    ...request,
    headers: [...Object.entries(request.headers), [name, value]],
  });
}

/** Signed again, over these headers only. */
export function signedOver(seal: Seal, names: readonly string[]) {
  return (request: SignedRequest): SignedRequest =>
    having({ signature: signature(seal, names, request.headers) })(request);
}

/** The Signature header with one of its parts written otherwise. */
export function signatureChanged(change: (header: string) => string) {
  return (request: SignedRequest): SignedRequest =>
    having({ signature: change(String(request.headers["signature"])) })(request);
}

export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

type Endpoint = { readonly method: string; readonly path: string };

/** Every endpoint of the PIS area, with unknown ids unless they are given. */
export function paymentEndpoints(
  product = "sepa-credit-transfers",
  paymentId = UNKNOWN_ID,
): readonly Endpoint[] {
  const payments = `${PISP}/payments/${product}`;
  const payment = `${payments}/${paymentId}`;
  return [
    { method: "POST", path: payments },
    { method: "GET", path: payment },
    { method: "DELETE", path: payment },
    { method: "GET", path: `${payment}/status` },
    { method: "GET", path: `${payment}/authorisations` },
    { method: "GET", path: `${payment}/authorisations/${UNKNOWN_ID}` },
  ];
}

/** Every endpoint of the AIS area, with the ids given or with unknown ones. */
export function endpoints(consentId = UNKNOWN_ID, accountId = UNKNOWN_ID): readonly Endpoint[] {
  const consent = `${AISP}/consents/${consentId}`;
  const account = `${AISP}/accounts/${accountId}`;
  return [
    { method: "POST", path: `${AISP}/consents` },
    { method: "GET", path: consent },
    { method: "DELETE", path: consent },
    { method: "GET", path: `${consent}/status` },
    { method: "GET", path: `${consent}/authorisations` },
    { method: "GET", path: `${consent}/authorisations/${UNKNOWN_ID}` },
    { method: "GET", path: `${AISP}/accounts` },
    { method: "GET", path: account },
    { method: "GET", path: `${account}/balances` },
    { method: "GET", path: `${account}/transactions?bookingStatus=both&dateFrom=2026-01-01` },
    { method: "GET", path: `${account}/transactions/${UNKNOWN_ID}` },
  ];
}
