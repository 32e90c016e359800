import * as z from "zod";
import type {
  AccessRequest,
  AccessRights,
  AccountReference,
  GrantedAccount,
  NamedAccount,
} from "@/lib/domain/accounts";
import {
  type Authorisation,
  type CreationRequest,
  scaTransitions,
} from "@/lib/domain/authorisation";
import {
  type AccountConsent,
  consentOfSameRequest,
  consentTransitions,
  type PeriodAsked,
  unite,
  validUntilFault,
} from "@/lib/domain/consents";
import { type IsoDate, parseIsoDate } from "@/lib/domain/values";
import {
  type Answer,
  type Caller,
  headersOfNotified,
  replyOf,
  type SchemaContext,
  type Xs2aPorts,
} from "../declaration";
import { orMissing } from "../parse";
import { digestOf } from "../read-request";
import { warningSent } from "../refusals";
import {
  accountReference,
  accountReferenceSent,
  createdAt,
  jsonObject,
  keysOf,
  link,
  linksToAuthorise,
  type Notified,
  notificationHeaders,
  notificationOf,
  type RedirectHeaders,
  redirectUrisOf,
  shownAs,
  validFields,
  withSent,
} from "./common";

export const isoDate = z
  .string(orMissing("is not a date YYYY-MM-DD"))
  .meta({ format: "date" })
  .refine((text) => parseIsoDate(text) !== undefined, "is not a date YYYY-MM-DD")
  .transform((text) => text as IsoDate);

const recurringIndicator = z
  .boolean(orMissing("is not a boolean"))
  .describe("Whether the consent is for access again and again, or once.");
const validUntil = isoDate.describe(
  "The last day of the consent, a day of the bank's. 9999-12-31 asks for the longest there is.",
);
const combinedServiceIndicator = z
  .boolean(orMissing("is not a boolean"))
  .meta({
    const: false,
    description: "Always false: account information and payment in one session are not offered.",
  })
  .refine((asked) => !asked, {
    message: "account information and payment in one session are not offered",
    params: { code: "SESSIONS_NOT_SUPPORTED" },
  });

const onceADayAtMost = {
  if: { properties: { recurringIndicator: { const: false } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { properties: { frequencyPerDay: { const: 1 } } },
};

/**
 * The body of a new account information consent. Rules over several fields check
 * the valid ones, so that one answer reports every fault.
 */
export function accountConsentRequest({ today, profile }: SchemaContext) {
  const { frequencyPerDayMax, accountReferencesMax } = profile.accountConsent;
  const fields = z
    .strictObject(
      {
        access: access(accountReferencesMax),
        recurringIndicator,
        validUntil,
        frequencyPerDay: z
          .int(orMissing("is not a whole number"))
          .min(1, "is at least 1")
          .max(frequencyPerDayMax, `is at most ${frequencyPerDayMax}`)
          .describe("How often a day the TPP may ask without the PSU; 1 for a one-off consent."),
        combinedServiceIndicator,
      },
      jsonObject,
    )
    .meta(onceADayAtMost);
  return fields
    .refine((body) => validUntilFault(body, today, profile) === undefined, {
      path: ["validUntil"],
      when: validFields("recurringIndicator", "validUntil"),
      error: ({ input }) => validUntilFault(input as PeriodAsked, today, profile),
    })
    .refine((body) => body.recurringIndicator || body.frequencyPerDay === 1, {
      path: ["frequencyPerDay"],
      when: validFields("recurringIndicator", "frequencyPerDay"),
      error: "is 1 for a one-off consent",
    })
    .transform(({ access: asked, combinedServiceIndicator: _, ...rest }) => ({
      ...rest,
      ...asked,
    }));
}

const OFFERED_ACCOUNT_TYPE = "CACC";

const allAccounts = z
  .enum(["allAccounts", "allAccountsWithOwnerName"], {
    error: "is allAccounts or allAccountsWithOwnerName",
  })
  .optional();
const everything = allAccounts.describe("All accounts with balances and transactions.");
const all = {
  availableAccounts: allAccounts.describe("The list of all accounts."),
  availableAccountsWithBalance: allAccounts.describe("All accounts with their balances."),
  // The specification writes allPSD2, the standard allPsd2; both mean the same.
  allPsd2: everything,
  allPSD2: everything,
};
const GLOBAL = keysOf(all);
const LISTS = ["accounts", "balances", "transactions"] as const;

// Read and dropped: the list of trusted beneficiaries is not offered.
const dropped = z.unknown().describe("Accepted in any form and ignored.");

const accountType = z.string().regex(/^[A-Za-z0-9]{1,4}$/, "is not a code of an account type");

const members = (referencesMax: number) => {
  const references = z.array(accountReference).max(referencesMax);
  const trustedBeneficiaries = z.array(dropped).max(referencesMax).optional();
  const restrictedTo = z
    .array(accountType)
    .max(referencesMax)
    .meta({ allOf: [{ anyOf: [{ maxItems: 0 }, { contains: { const: OFFERED_ACCOUNT_TYPE } }] }] })
    .refine((types) => types.length === 0 || types.includes(OFFERED_ACCOUNT_TYPE), {
      message: `only ${OFFERED_ACCOUNT_TYPE} accounts are offered`,
      params: { code: "SERVICE_INVALID" },
    })
    .optional();
  return { references, trustedBeneficiaries, restrictedTo };
};

type Members = ReturnType<typeof members>;

const accessObject = ({ references, trustedBeneficiaries, restrictedTo }: Members) =>
  z.strictObject({ ...lists(references.optional(), trustedBeneficiaries), ...all, restrictedTo });

function lists<References extends z.ZodType>(
  references: References,
  trustedBeneficiaries: Members["trustedBeneficiaries"],
) {
  return {
    accounts: references,
    balances: references,
    transactions: references,
    additionalInformation: z
      .strictObject({ ownerName: references, trustedBeneficiaries })
      .optional(),
  };
}

type AccessObject = z.infer<ReturnType<typeof accessObject>>;

const MODELS =
  "One of three models: named accounts, all accounts, or, with empty lists or none, the PSU's choice.";
const anyList = { anyOf: LISTS.map(required) };

function required(name: string) {
  return { required: [name] };
}

/** The three models apart, for the description: what `accessFaults` finds in none of them fits none of these. */
function models({ references, trustedBeneficiaries, restrictedTo }: Members) {
  const named = references.min(1).optional().describe("Accounts by name.");
  const none = references.max(0).optional().describe("Empty: the choice is the PSU's.");
  return z.union([
    z
      .strictObject(lists(named, trustedBeneficiaries))
      .meta({ description: "Named accounts, each with what is asked of it.", allOf: [anyList] }),
    z.strictObject({ ...lists(none, trustedBeneficiaries), restrictedTo }).meta({
      description: "The PSU's choice: a list that is there, and empty, says what is asked for.",
      if: {
        required: ["additionalInformation"],
        properties: {
          additionalInformation: { anyOf: [required("ownerName"), { maxProperties: 0 }] },
        },
      },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: anyList,
    }),
    z
      .strictObject({
        ...all,
        additionalInformation: z.strictObject({ trustedBeneficiaries }).optional(),
        restrictedTo,
      })
      .meta({
        description: "All accounts.",
        allOf: [{ oneOf: GLOBAL.map(required) }],
      }),
  ]);
}

/** The access object of any of the three consent models, and word for word as it was sent. */
const access = (referencesMax: number) => {
  const known = members(referencesMax);
  const form = withSent(accessObject(known)).transform(({ sent, read }, issues) => {
    for (const fault of accessFaults(read)) issues.addIssue({ code: "custom", ...fault });
    return { requestedAccess: keptOf(sent as Sent), access: toAccessRequest(read) };
  });
  return shownAs(form, models(known).describe(MODELS));
};

/** Of an accepted body. */
type Sent = Partial<Record<(typeof LISTS)[number], readonly ReferenceSent[]>> & {
  readonly additionalInformation?: {
    readonly ownerName?: readonly ReferenceSent[];
    readonly trustedBeneficiaries?: unknown;
  };
};
type ReferenceSent = { readonly iban: string };

/** As it was sent, but without beneficiaries, and with IBANs in the capitals that the standard has them in. */
function keptOf(sent: Sent): unknown {
  const capitals = (references: readonly ReferenceSent[] = []) =>
    references.map(({ iban, ...more }) => ({ iban: iban.toUpperCase(), ...more }));
  const named = LISTS.filter((name) => sent[name] !== undefined);
  const lists = Object.fromEntries(named.map((name) => [name, capitals(sent[name])]));
  if (sent.additionalInformation === undefined) return { ...sent, ...lists };
  const { trustedBeneficiaries: _, ownerName, ...more } = sent.additionalInformation;
  const owners = ownerName === undefined ? {} : { ownerName: capitals(ownerName) };
  return { ...sent, ...lists, additionalInformation: { ...more, ...owners } };
}

const OWNER_NAME = ["additionalInformation", "ownerName"] as const;
const NO_RIGHTS: AccessRights = { balances: false, transactions: false, ownerName: false };

type AccessFault = { readonly path: string[]; readonly message: string };

/** What is well formed and still belongs to none of the three models. */
function accessFaults(sent: AccessObject): readonly AccessFault[] {
  const globals = GLOBAL.filter((name) => sent[name] !== undefined);
  const lists = LISTS.filter((name) => sent[name] !== undefined);
  const owners = sent.additionalInformation?.ownerName;
  const arrays = lists.map((name) => sent[name] ?? []);
  const named = arrays.flat();
  if (owners !== undefined) arrays.push(owners);
  const faults: AccessFault[] = [];
  const fault = (message: string, ...path: string[]) => faults.push({ path, message });
  if (globals.length > 1) fault(`${globals.join(" and ")} exclude each other`);
  if (globals.length > 0 && arrays.length > 0) {
    fault(`${globals[0]} goes without accounts, balances, transactions and ownerName`);
  }
  const empty = arrays.filter((list) => list.length === 0).length;
  if (empty > 0 && empty < arrays.length) {
    fault("either every list is empty or none is");
  }
  if (owners !== undefined && lists.length === 0 && globals.length === 0) {
    fault("ownerName goes with accounts, balances or transactions", ...OWNER_NAME);
  }
  const isEmpty = Object.keys(sent.additionalInformation ?? { none: true }).length === 0;
  if (isEmpty && lists.length === 0 && globals.length === 0) {
    fault("goes with accounts, balances or transactions", "additionalInformation");
  }
  for (const owner of owners ?? []) {
    if (!named.some((other) => covers(other, owner))) {
      fault("names an account that no other list names", ...OWNER_NAME);
    }
  }
  if (sent.restrictedTo !== undefined && named.length > 0) {
    fault("goes without named accounts", "restrictedTo");
  }
  return faults;
}

/** The request in the domain's words. Balances or transactions of an account imply the account itself. */
function toAccessRequest(sent: AccessObject): AccessRequest {
  const global = GLOBAL.find((name) => sent[name] !== undefined);
  if (global !== undefined) {
    return { model: "global", rights: globalRights(global, sent[global] as string), named: [] };
  }
  const named = namedAccounts(sent);
  if (named.length > 0) {
    return { model: "dedicated", named, rights: named.map(({ rights }) => rights).reduce(unite) };
  }
  return {
    model: "bankOffered",
    named: [],
    rights: {
      balances: sent.balances !== undefined,
      transactions: sent.transactions !== undefined,
      ownerName: sent.additionalInformation?.ownerName !== undefined,
    },
  };
}

function globalRights(name: (typeof GLOBAL)[number], value: string): AccessRights {
  const all = name === "allPsd2" || name === "allPSD2";
  return {
    balances: all || name === "availableAccountsWithBalance",
    transactions: all,
    ownerName: value === "allAccountsWithOwnerName",
  };
}

function namedAccounts(sent: AccessObject): readonly NamedAccount[] {
  const asked = (references: readonly AccountReference[] | undefined, right = {}) =>
    (references ?? []).map((reference) => ({ reference, rights: { ...NO_RIGHTS, ...right } }));
  const all: readonly NamedAccount[] = [
    ...asked(sent.accounts),
    ...asked(sent.balances, { balances: true }),
    ...asked(sent.transactions, { transactions: true }),
    ...asked(sent.additionalInformation?.ownerName, { ownerName: true }),
  ];
  const named = new Map<string, NamedAccount>();
  for (const { reference, rights } of all) {
    const key = `${reference.iban} ${reference.currency}`;
    const before = named.get(key);
    named.set(key, { reference, rights: before ? unite(before.rights, rights) : rights });
  }
  return [...named.values()];
}

/** Without a currency it names every sub-account of the IBAN. */
function covers({ iban, currency }: AccountReference, other: AccountReference): boolean {
  return iban === other.iban && (currency === undefined || currency === other.currency);
}

const consentStatus = z.enum(keysOf(consentTransitions));
const scaStatus = z.enum(keysOf(scaTransitions));
const day = z.iso.date();

const created = z.strictObject({
  consentStatus,
  consentId: z.uuid(),
  _links: linksToAuthorise,
  tppMessages: z.array(warningSent).optional(),
});

const references = z.array(accountReferenceSent);
const resolvedAccess = z
  .strictObject({
    accounts: references,
    balances: references.optional(),
    transactions: references.optional(),
    additionalInformation: z.strictObject({ ownerName: references }).optional(),
  })
  .describe("The access as the PSU has granted it.");

const asSent = z
  .record(z.string(), z.unknown().describe("As it was sent."))
  .describe("The access as it was asked for, until the PSU has chosen.");

const consent = z.strictObject({
  access: z.union([resolvedAccess, asSent]),
  recurringIndicator: z.boolean(),
  validUntil: day,
  frequencyPerDay: z.int().min(1),
  lastActionDate: day,
  consentStatus,
  _links: z.strictObject({ account: link }).optional(),
});

type Links = Pick<Xs2aPorts, "links">;
type Created = Notified & { readonly consent: AccountConsent; readonly shortened: boolean };

export const accountConsentCreated = replyOf(
  {
    status: 201,
    description: "The consent is there, and waits for the PSU to authorise it.",
    headers: headersOfNotified,
    body: created,
  },
  ({ consent: made, shortened, notified }: Created, { links }: Links) => {
    const self = `${links.aisp}/consents/${made.id}`;
    const { headers, _links } = createdAt(self, made.authorisationId, links.scaOAuth);
    const text = `validUntil was shortened to ${made.validUntil}`;
    const remark = { category: "WARNING", code: "WARNING", path: "validUntil", text };
    const tppMessages = shortened ? [remark] : undefined;
    return {
      headers: { ...headers, ...notified },
      value: { consentStatus: made.status, consentId: made.id, _links, tppMessages },
    };
  },
);

/** The consent as it is now: the access as it was asked for until the PSU has chosen, then as it was chosen. */
export const accountConsentRead = replyOf(
  { status: 200, description: "The consent as it is now.", body: consent },
  (made: AccountConsent, { links }: Links) => {
    const chosen = made.grantedAccounts.length > 0;
    const account = { href: `${links.aisp}/accounts` };
    const value = {
      access: chosen ? resolved(made.grantedAccounts) : made.requestedAccess,
      recurringIndicator: made.recurringIndicator,
      validUntil: made.validUntil,
      frequencyPerDay: made.frequencyPerDay,
      lastActionDate: made.lastActionDate,
      consentStatus: made.status,
      ...(made.status === "valid" ? { _links: { account } } : {}),
    };
    return { value };
  },
);

export function statusReadAs<Status extends string>(consentStatus: z.ZodType<Status>) {
  const body = z.strictObject({ consentStatus });
  return replyOf(
    { status: 200, description: "Where the consent stands.", body },
    ({ status }: { readonly status: Status }) => ({ value: { consentStatus: status } }),
  );
}

export const consentStatusRead = statusReadAs(consentStatus);

export const authorisationsRead = replyOf(
  {
    status: 200,
    description: "The one authorisation there is.",
    body: z.strictObject({ authorisationIds: z.array(z.uuid()) }),
  },
  ({ authorisationId }: Pick<AccountConsent, "authorisationId">) => ({
    value: { authorisationIds: [authorisationId] },
  }),
);

export const authorisationRead = replyOf(
  {
    status: 200,
    description: "Where the authorisation stands.",
    body: z.strictObject({ scaStatus }),
  },
  (found: Authorisation) => ({ value: { scaStatus: found.scaStatus } }),
);

export const deleted = replyOf({ status: 204, description: "It is ended." }, () => ({}));

function resolved(granted: readonly GrantedAccount[]) {
  const having = (right: keyof AccessRights) =>
    granted.filter(({ rights }) => rights[right]).map(reference);
  const balances = having("balances");
  const transactions = having("transactions");
  const ownerName = having("ownerName");
  return {
    accounts: granted.map(reference),
    ...(balances.length > 0 ? { balances } : {}),
    ...(transactions.length > 0 ? { transactions } : {}),
    ...(ownerName.length > 0 ? { additionalInformation: { ownerName } } : {}),
  };
}

function reference({ iban, currency }: GrantedAccount) {
  return { iban, currency };
}

export type ConsentCall = Caller & { readonly headers: RedirectHeaders };

/** A request for a consent in the domain's words, without what it says of the consent itself. */
export function consentRequestOf(call: ConsentCall): CreationRequest {
  return {
    tpp: call.qwac.tpp,
    knownTpp: call.knownTpp,
    requestId: call.requestId,
    bodyDigest: digestOf(call.bytes),
    redirectUris: redirectUrisOf(call.headers),
    notification: notificationOf(call.headers),
    loginHint: call.headers["psu-id"],
    acceptLanguage: call.headers["psu-accept-language"],
    now: call.now,
  };
}

/** Beside what a request has made, whether its TPP is told of it. */
export function notifying({ headers }: ConsentCall) {
  return <Made extends object>(made: Made) => ({ ...made, notified: notificationHeaders(headers) });
}

/**
 * The first answer to the same request. A `validUntil` that was shortened, 9999-12-31, is in form on any day,
 * and its request is not looked for here.
 */
export async function accountConsentAnswered(
  call: ConsentCall,
  ports: Xs2aPorts,
): Promise<Answer | undefined> {
  const consent = await consentOfSameRequest(ports, consentRequestOf(call));
  return consent && accountConsentCreated(notifying(call)({ consent, shortened: false }), ports);
}
