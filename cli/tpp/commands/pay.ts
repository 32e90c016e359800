import { parseArgs } from "node:util";
import { paid } from "../initiate-and-follow";
import { paymentOptions, paymentOrder } from "../payment-order";
import { sessionHelp, sessionOptions, withPsu } from "../psu-session";

export const help = `npm run tpp -- pay --product PRODUCT --amount 12.50 --currency EUR --to IBAN --name "…" [OPTIONS]

Initiates the payment, prints the address at which the PSU authorises it (and opens it where there
is a browser), waits for the PSU to come back, and prints each status until the last one. When the
connection breaks the request is sent again with the same X-Request-ID, so nothing is paid twice.

  --product PRODUCT   sepa-credit-transfers, instant-sepa-credit-transfers, target-2-payments or
                      cross-border-credit-transfers
  --amount AMOUNT     with a dot, e.g. 12.50
  --currency CODE     one of the product's
  --to IBAN           whom to pay
  --name NAME         the payee's name
  --from IBAN         the PSU's account; default an account of Ana's, in the sandbox
                      (the bank is the one of BANK_PROFILE)
  --bic BIC           the payee's bank, 8 characters; cross-border needs it
  --country CODE      the payee's country, e.g. DE; cross-border needs it
  --text TEXT         remittance information
  --reject-without-funds
                      rather have it rejected than wait for funds
${sessionHelp}
Exit codes besides those of every command: 0 settled, 1 rejected by the bank, 3 the PSU did not agree.
`;

export async function run(args: readonly string[]): Promise<number> {
  const options = { ...sessionOptions, ...paymentOptions };
  const { values } = parseArgs({ args: [...args], options });
  const order = paymentOrder(values);
  const last = await withPsu(values, (session) => paid(session, order));
  return last === "ACSC" || last === "ACCC" ? 0 : 1;
}
