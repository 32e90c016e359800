import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { TestSettings } from "@/lib/postgres/testing";
import { testBank } from "./bank";
import {
  authorise,
  codeForm,
  type Parameters,
  post,
  refreshForm,
  type Tokens,
  tokensFrom,
} from "./tpp-journey";

/** A bank and two of its TPPs; unless a test says otherwise, `example` does everything right. */
export async function tokenClient(settings?: TestSettings) {
  const bank = await testBank(settings);
  const example = await bank.tpp("PSDRO-NBR-1234567");
  const other = await bank.tpp("PSDDE-BAFIN-99");

  const redeem = (back: URL, changes: Parameters = {}, by = example) =>
    post(bank, codeForm(example.tpp, back, changes), by);
  const refresh = (tokens: Tokens, changes: Parameters = {}, by = example) =>
    post(bank, refreshForm(example.tpp, tokens, changes), by);

  /** An authorised consent and the redirect that carries its code. */
  const authorised = async (given: Partial<AccountConsent> = {}) => {
    const consent = await bank.consent(example.tpp, given);
    return { consent, back: await authorise(bank, example.tpp, consent) };
  };
  const redeemed = async (given: Partial<AccountConsent> = {}) => {
    const { consent, back } = await authorised(given);
    return { consent, tokens: await tokensFrom(await redeem(back)) };
  };
  return { bank, example, other, redeem, refresh, authorised, redeemed };
}
