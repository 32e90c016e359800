import { isValidIBAN } from "ibantools";
import * as z from "zod";
import type { RedirectUris } from "@/lib/domain/authorisation";
import { CORE_BANK_ID_CHARACTERS_MAX } from "@/lib/domain/core-bank";
import { rateLimitHeaders, type Served } from "@/lib/domain/request-context";
import {
  type AuthorisationId,
  amountOf,
  type ConsentId,
  type Currency,
  type Iban,
  isUuid,
  type Money,
  type TransactionId,
} from "@/lib/domain/values";
import { type Notification, notificationContents } from "@/lib/domain/webhooks";
import { plainAddress } from "@/lib/ip-address";
import { log } from "@/lib/log";
import type { AnswerHeader, Answers, HeaderSchemaContext, Reply, Xs2aPorts } from "../declaration";
import { orMissing } from "../parse";

/** `::ffff:81.196.12.34` is accepted; an address with a zone is not, since that is local to one machine. */
const ipAddress = z
  .string(orMissing("is not an IP address"))
  .meta({ anyOf: ["ipv4", "ipv6"].map((format) => ({ type: "string", format })) })
  .refine((text) => plainAddress(text) !== undefined, "is not an IP address")
  .describe("The address that the PSU called the TPP from.");
const psuId = z
  .string()
  .max(200)
  .describe("The PSU's user ID, to begin the login with. The signature has to cover it.");
/** No browser sends more; the rest is not kept. */
const LANGUAGES_CHARACTERS_MAX = 1_000;
const acceptLanguage = z
  .string()
  .describe(
    "The Accept-Language of the PSU's browser: the language of the bank's pages where neither the PSU nor ui_locales has said one.",
  )
  .transform((text) => text.slice(0, LANGUAGES_CHARACTERS_MAX));
export const consentIdHeader = z
  .string(orMissing("is not a consent's id"))
  .min(1, "is empty")
  .meta({ format: "uuid" })
  .describe("The consent that the access token was issued for.");

/** What the TPP knows of the PSU's call to it. Nothing depends on it here, but the standard gives it a form. */
const callOfPsu = {
  "psu-http-method": z
    .enum(["GET", "POST", "PUT", "PATCH", "DELETE"], {
      error: "is one of GET, POST, PUT, PATCH, DELETE",
    })
    .optional()
    .describe("The method of the PSU's call to the TPP."),
  "psu-device-id": z
    .string()
    .meta({ format: "uuid" })
    .refine(isUuid, "is not a UUID")
    .optional()
    .describe("The PSU's device, or the installation of an app on it."),
  "psu-geo-location": z
    .string()
    .regex(
      /^GEO:-?[0-9]{1,2}\.[0-9]{6};-?[0-9]{1,3}\.[0-9]{6}$/,
      "is not of the form GEO:52.506931;13.144558",
    )
    .optional()
    .describe("Where the PSU called the TPP from."),
};

const trueOrFalse = z.enum(["true", "false"], { error: "is true or false" });
const preference = trueOrFalse
  .optional()
  .describe("Changes nothing: the PSU is always redirected.");

/** Calls about a resource by its id: nothing beyond what every call carries. */
export const plainHeaders = z.object({ ...callOfPsu, "psu-ip-address": ipAddress.optional() });

/** Headers for creating a resource that the PSU authorises: the PSU's address and the redirect URIs. */
export const redirectHeaders = (schemaContext: HeaderSchemaContext) =>
  z.object({
    ...callOfPsu,
    "psu-ip-address": ipAddress,
    "psu-id": psuId.optional(),
    "psu-accept-language": acceptLanguage.optional(),
    "tpp-redirect-uri": redirectUri(schemaContext).describe(
      "Where the browser goes back to: an absolute https URI without a fragment. The signature has to cover it.",
    ),
    "tpp-nok-redirect-uri": redirectUri(schemaContext)
      .optional()
      .describe("Where the browser goes back to instead when there is no consent."),
    "tpp-redirect-preferred": preference,
  });

/** Of a consent for accounts or a payment: besides, where and of what the TPP is notified. */
export const notifiedHeaders = (schemaContext: HeaderSchemaContext) =>
  redirectHeaders(schemaContext).extend({
    "tpp-notification-uri": notificationUri(schemaContext)
      .optional()
      .describe(
        "Where the TPP is told of changes of status: a URI as for the browser, within the domains of the QWAC.",
      ),
    "tpp-notification-content-preferred": notificationContent(schemaContext)
      .optional()
      .describe("What it is told of; without it, PROCESS."),
    "tpp-decoupled-preferred": preference,
  });

/** Starting a payment: besides, whether it is to be rejected when there are no funds for it. */
export const paymentHeaders = (schemaContext: HeaderSchemaContext) =>
  notifiedHeaders(schemaContext).extend({
    "tpp-rejection-nofunds-preferred": trueOrFalse
      .default("false")
      .describe("Whether the payment is rejected at once when there are no funds for it.")
      .transform((text) => text === "true"),
  });

export type PaymentHeaders = z.infer<ReturnType<typeof paymentHeaders>>;

/**
 * Account data. A PSU-IP-Address that no PSU can have called from is no error: the call is unattended.
 * `client-address` is our listener's, which drops a caller's header of that name.
 */
const accessAndListenersHeaders = z.object({
  ...callOfPsu,
  "consent-id": consentIdHeader,
  "psu-ip-address": ipAddress
    .optional()
    .describe(
      "The address that the PSU called from. Without one, or with one that no PSU can have, the call is unattended and counts against frequencyPerDay.",
    ),
  "client-address": z.string().optional(),
});

const shown = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

export const accessHeaders = shownAs(
  accessAndListenersHeaders,
  accessAndListenersHeaders.omit({ "client-address": true }),
);

export type AccessHeaders = z.infer<typeof accessHeaders>;

/** With those of notifications where there may be any. */
export type RedirectHeaders = z.infer<ReturnType<typeof redirectHeaders>> & AsksToBeNotified;
type AsksToBeNotified = Partial<
  Pick<
    z.infer<ReturnType<typeof notifiedHeaders>>,
    "tpp-notification-uri" | "tpp-notification-content-preferred"
  >
>;

export function redirectUrisOf(headers: RedirectHeaders): RedirectUris {
  const redirectUri = headers["tpp-redirect-uri"];
  const nokRedirectUri = headers["tpp-nok-redirect-uri"];
  return nokRedirectUri === undefined ? { redirectUri } : { redirectUri, nokRedirectUri };
}

/** Where and of what the TPP is told; undefined where it has not asked, or this bank does not do so. */
export function notificationOf(headers: AsksToBeNotified): Notification | undefined {
  const asked = headers["tpp-notification-uri"];
  if (asked?.isServed !== true) return undefined;
  return { uri: asked.uri, content: headers["tpp-notification-content-preferred"] ?? ["PROCESS"] };
}

/** The answer to who asked to be notified: false where the URI lies outside the domains of the QWAC. */
export function notificationHeaders(headers: AsksToBeNotified): Readonly<Record<string, string>> {
  if (headers["tpp-notification-uri"] === undefined) return {};
  const notification = notificationOf(headers);
  if (notification === undefined) return { "aspsp-notification-support": "false" };
  const content = `status=${notification.content.join(",")}`;
  return { "aspsp-notification-support": "true", "aspsp-notification-content": content };
}

/** The headers of a creation's answer, beside those of the resource. */
export type Notified = { readonly notified?: Readonly<Record<string, string>> };

const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
/** A name whose last part is no number, which a browser would take for an address. */
const NAME = "(?:[A-Za-z0-9_-]+\\.)*[A-Za-z_][A-Za-z0-9_-]*\\.?";
const PORT =
  "(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";
/** What a browser would quietly mend is not accepted, such as blanks and backslashes; nor is a fragment. */
const REST = '(?:[/?][!"$-\\[\\]-~]*)?';
const LOOPBACK = "\\[::1\\]";
const outside = new RegExp(`^https://(?:${NAME}|${IPV4})${PORT}${REST}$`);
/** TPPs of the sandbox are on localhost. */
const sandbox = new RegExp(
  `^(?:https://(?:${NAME}|${IPV4}|${LOOPBACK})|http://(?:localhost|127\\.0\\.0\\.1|${LOOPBACK}))${PORT}${REST}$`,
);
const formIn = (schemaContext: HeaderSchemaContext) => (schemaContext.sandbox ? sandbox : outside);

/**
 * An address the PSU's browser may be sent to: absolute https, no user, no fragment, within the
 * certificate's domains where that is enforced. The text is kept exactly as it was sent, because
 * the authorisation request has to repeat it exactly.
 */
function redirectUri(schemaContext: HeaderSchemaContext, faultOf = redirectUriFault) {
  return z
    .string(orMissing("is not a URI"))
    .max(schemaContext.profile.request.headerCharactersMax)
    .meta({ pattern: formIn(schemaContext).source })
    .superRefine((text, issues) => {
      const fault = faultOf(text, schemaContext);
      if (fault !== undefined) issues.addIssue({ code: "custom", message: fault });
    });
}

/**
 * In the form of a redirect URI. One that lies elsewhere is no fault (NextGenPSD2 1.3.12): the TPP is not told then. A bank that
 * tells nobody reads no such header.
 */
function notificationUri(schemaContext: HeaderSchemaContext) {
  if (schemaContext.notifies !== true) return ignored;
  return redirectUri(schemaContext, uriFault).transform((uri) => {
    return { uri, isServed: isWithinDomains(uri, schemaContext) };
  });
}

/** Left out of the description. */
const ignored = shownAs(
  z.string().transform((): undefined => undefined),
  z.never(),
);
const CONTENT = `(?:${notificationContents.join("|")})`;
const PREFERRED = new RegExp(`^status=${CONTENT}(?:, ?${CONTENT}){0,2}$`);

function notificationContent(schemaContext: HeaderSchemaContext) {
  if (schemaContext.notifies !== true) return ignored;
  return z
    .string()
    .regex(PREFERRED, "is not of the form status=SCA,PROCESS,LAST")
    .transform((text) => notificationContents.filter((one) => text.includes(one)));
}

export function redirectUriFault(
  text: string,
  schemaContext: HeaderSchemaContext,
): string | undefined {
  const fault = uriFault(text, schemaContext);
  if (fault !== undefined || isWithinDomains(text, schemaContext)) return fault;
  if (schemaContext.onlyWarnsOfDomains === true) {
    const { host } = new URL(text);
    const { redirectDomains: domains } = schemaContext;
    log.warn({ host, domains }, "a redirect URI lies outside the domains of the TPP's certificate");
    return undefined;
  }
  return "lies outside the domains of the TPP's certificate";
}

function uriFault(text: string, schemaContext: HeaderSchemaContext): string | undefined {
  if (!URL.canParse(text)) return "is not an absolute https URI";
  const { username, password } = new URL(text);
  if (username !== "" || password !== "") return "must not name a user";
  if (text.includes("#")) return "must not have a fragment";
  return formIn(schemaContext).test(text) ? undefined : "is not an absolute https URI";
}

function isWithinDomains(uri: string, { redirectDomains }: HeaderSchemaContext): boolean {
  const { hostname } = new URL(uri);
  return redirectDomains?.some((name) => domainCovers(name, hostname)) !== false;
}

/** A name of the certificate covers itself and what lies below it, with or without a wildcard. */
function domainCovers(name: string, hostname: string): boolean {
  const domain = name.toLowerCase().replace(/^\*\./, "");
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** In the path, a malformed id is treated like an unknown one. */
const textOfId = (description: string) => z.string().meta({ format: "uuid", description });
export const idInPath = <Id extends string>(description: string) =>
  textOfId(description).transform((text) => text.toLowerCase() as Id);

export const authorisationId = idInPath<AuthorisationId>(
  "The authorisation's id, from the link scaStatus.",
);
const accountId = textOfId("The account's resourceId, which is good for one consent.");

const transactionId = z
  .string()
  .meta({
    maxLength: CORE_BANK_ID_CHARACTERS_MAX,
    description: "The entry's transactionId. A standing order is in the list alone.",
  })
  .transform((text) => text as TransactionId);

export const noPath = z.unknown();
export const consentPath = z.object({ consentId: idInPath<ConsentId>("The consent's id.") });
export const authorisationPath = consentPath.extend({ authorisationId });
export const accountPath = z.object({ accountId });
export const transactionPath = z.object({ accountId, transactionId });

export const noQuery = z.unknown();
export const noBody = z.unknown();

/** An IBAN in any case, with its country's length and right check digits. */
const iban = z
  .string(orMissing("is not an IBAN"))
  .meta({
    description: "An IBAN with the right check digits, in letters of any case.",
    pattern: "^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$",
  })
  // Letters of other scripts, whose capitals can be letters of this one, spell no IBAN.
  .regex(/^[A-Za-z0-9]*$/, "is not an IBAN")
  .transform((text) => text.toUpperCase())
  .refine((text) => isValidIBAN(text), "is not an IBAN: its length or check digits are wrong")
  .transform((text) => text as Iban);

export const currency = z
  .string(orMissing("is not a currency"))
  .describe("A currency code of ISO 4217.")
  .regex(/^[A-Z]{3}$/, "is not a currency")
  .transform((text) => text as Currency);

/**
 * What no reader sees: control characters, which the database cannot keep either, line separators, and the
 * marks that make a text read otherwise than it is written. Cc, Cf, Co, Zl and Zp of Unicode 17, as a class
 * that every dialect of regular expressions reads; some of them know no halves of a character.
 */
export const INVISIBLE_CHARACTERS = [
  String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e`,
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ue000-\uf8ff\ufeff\ufff9-\ufffb`,
  "\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}",
  "\u{e0020}-\u{e007f}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}",
].join("");

const unseen = new RegExp(`[${INVISIBLE_CHARACTERS}\\ud800-\\udfff]`, "u");
/** For readers of the description. The two rules in it are checked one by one. */
const pattern = `^[^${INVISIBLE_CHARACTERS}]*[^${INVISIBLE_CHARACTERS}\\s][^${INVISIBLE_CHARACTERS}]*$`;

/** IBAN is the only identifier this bank takes; `bban`, `pan` and the others are refused by name. */
export const accountFields = (currencyForm: typeof currency) => ({
  iban,
  currency: currencyForm.exactOptional(),
  cashAccountType: plainText(35).exactOptional(),
});

export const accountReference = z
  .strictObject(accountFields(currency))
  .meta({
    id: "AccountAsked",
    description: "An account by its IBAN and, for one of several, its currency.",
  })
  .transform(withoutType);

/** The kind of account that a TPP takes it for decides nothing. */
export function withoutType<Account extends { readonly cashAccountType?: string }>({
  cashAccountType: _,
  ...reference
}: Account) {
  return reference;
}

/** As it leaves: always with the currency, since sub-accounts differ in nothing else. */
export const accountReferenceSent = z
  .strictObject({
    iban: z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    maskedPan: z.string().max(35).optional(),
  })
  .meta({ id: "AccountReference", description: "An account by its IBAN and currency." });

export const amountSent = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/),
    amount: z.string().regex(/^-?\d{1,14}(\.\d{2,3})?$/),
  })
  .meta({
    id: "Amount",
    description: "Money: a text with as many digits after the dot as the currency has.",
  });

export function toAmount(money: Money) {
  return { currency: money.currency, amount: amountOf(money) };
}

/** One line of text as a person reads it, with at least one character that is no blank. */
export function plainText(charactersMax: number) {
  return z
    .string(orMissing("is not a text"))
    .meta({ minLength: 1, maxLength: charactersMax, pattern })
    .refine((text) => text.trim() !== "", "is empty")
    .refine((text) => !unseen.test(text), "has characters that cannot be read")
    .refine(
      (text) => text.length <= charactersMax || lengthOf(text) <= charactersMax,
      `is longer than ${charactersMax} characters`,
    );
}

/** In characters, as the standard and the database count, and not in halves of them. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Cut after a whole character. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : Array.from(text).slice(0, charactersMax).join("");
}

/** For the schema of a body: says that there has to be one, and of what form. */
export const jsonObject = {
  error: ({ code, input }: z.core.$ZodRawIssue) => {
    if (code !== "invalid_type") return undefined;
    return input === undefined
      ? "the body is missing: a JSON object is needed"
      : "the body is not a JSON object";
  },
} as const;

/** A rule over several fields runs as soon as these are there, however wrong the others are. */
export function validFields(...names: readonly string[]) {
  return ({ value, issues }: z.core.ParsePayload): boolean =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => name in value && !issues.some(({ path }) => path?.[0] === name));
}

/** Within a transform: what a schema makes of the value, or the issues that it has with it. */
export function readBy<Value>(
  schema: z.ZodType<Value>,
  sent: unknown,
  context: z.core.$RefinementCtx,
): Value {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.addIssue({ ...issue });
  return z.NEVER;
}

/** What a schema makes of a value, beside the value as it was sent. */
export function withSent<Value>(schema: z.ZodType<Value>) {
  return z.unknown().transform((sent, context) => ({ sent, read: readBy(schema, sent, context) }));
}

/**
 * A form with code that zod cannot describe, together with the schema that describes what it accepts. The
 * form has to refuse everything that the schema refuses.
 */
export function shownAs<Form extends z.ZodType>(form: Form, schema: z.ZodType): Form {
  shown.set(form, schema);
  return form;
}

/** The schema to show in place of a form, if it is not the form itself. */
export function schemaShown(form: z.core.$ZodType): z.core.$ZodType | undefined {
  const { parent } = form._zod;
  return shown.get(form) ?? (parent && schemaShown(parent));
}

export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** Links are absolute: many clients follow no others. */
export const link = z
  .strictObject({ href: z.url({ protocol: /^https$/ }) })
  .meta({ id: "Link", description: "An absolute address." });

/** Of a resource that the PSU has to authorise. */
export const linksToAuthorise = z.strictObject({
  scaOAuth: link,
  self: link,
  status: link,
  scaStatus: link,
});

/** Where a new resource is, and how the PSU authorises it: in headers and in links. */
export function createdAt(self: string, authorisationId: AuthorisationId, scaOAuth: string) {
  return {
    headers: { location: self, "aspsp-sca-approach": "REDIRECT" },
    _links: {
      scaOAuth: { href: scaOAuth },
      self: { href: self },
      status: { href: `${self}/status` },
      scaStatus: { href: `${self}/authorisations/${authorisationId}` },
    },
  };
}

const said = (description: string): AnswerHeader => ({ description, required: false });

/** With an answer, and with the refusal of a call for which nothing is left. */
const addressIgnored = {
  "PSU-IP-Address-Ignored": said(
    "Why the call counts as unattended although it names an address: reserved, not-public or of-the-tpp.",
  ),
};

/** Only unattended accesses have a budget to report. */
const headersOfBudget = {
  "RateLimit-Limit": said("How many unattended calls there are in 24 hours."),
  "RateLimit-Remaining": said("How many of them are left."),
  "RateLimit-Reset": said("Seconds until there is one more."),
  ...addressIgnored,
};

type Granting<Result> = Reply<Result> & { readonly answers: Answers };

/** The reply to an access to account data: its content, and what is left of the budget it took from. */
export function served<Content>(reply: Granting<Content>): Granting<Served<Content>> {
  const { answers } = reply;
  const write = ({ content, allowance }: Served<Content>, ports: Xs2aPorts) => {
    const answer = reply(content, ports);
    if (allowance === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(allowance) } };
  };
  return Object.assign(write, {
    answers: {
      ...answers,
      headers: { ...answers.headers, ...headersOfBudget },
      headersOfRefusals: { 429: addressIgnored },
    },
  });
}
