import * as z from "zod";
import { CORE_BANK_ID_CHARACTERS_MAX } from "@/lib/domain/core-bank";
import { type EventLine, eventKinds, retentions } from "@/lib/domain/events";
import type { StandingOptOut } from "@/lib/domain/opt-outs";
import { type HistoryLine, type Permission, permissionKinds } from "@/lib/domain/permissions";
import {
  COUNT_DAYS_SHOWN_MAX,
  type ConsentCount,
  counted,
  type DayCount,
} from "@/lib/domain/statistics";
import { isTppId, type KnownTpp } from "@/lib/domain/tpp";
import { type LegalBasis, legalBases, tppActions } from "@/lib/domain/tpp-blocks";
import {
  addDays,
  amountOf,
  type IsoDate,
  isUuid,
  type PsuId,
  type RequestId,
  type TppId,
} from "@/lib/domain/values";

/** What the bank API takes and answers, as JSON. */

const limits = { perPage: 50, perPageMax: 200, reasonCharactersMax: 500 } as const;

const instant = z.iso.datetime();
const uuid = z.string().refine(isUuid, "is not a UUID").meta({ format: "uuid" });

export const customerId = z
  .string()
  .min(1)
  .max(CORE_BANK_ID_CHARACTERS_MAX)
  .transform((id) => id as PsuId)
  .describe("The core bank's id of the customer.");
export const tppId = z
  .string()
  .max(256)
  .refine(isTppId, "is not of the form PSDRO-NBR-1234567")
  .transform((id): TppId => id as TppId)
  .describe("The organizationIdentifier of the TPP's certificates, as in PSDRO-NBR-1234567.");
export const reason = z
  .string()
  .regex(/^[^\p{Cc}]+$/u, "has control characters")
  .max(limits.reasonCharactersMax)
  .describe("Why, for the events; neither the TPP nor the customer is told.");

/** Where a page goes on: opaque to the caller, who gets it as `next` of the page before. */
export function cursorOf<Position>(position: z.ZodType<Position>) {
  return z
    .string()
    .max(1_000)
    .transform((text, { addIssue }): Position => {
      const read = position.safeParse(jsonIn(text));
      if (read.success) return read.data;
      addIssue("is not a cursor of this list");
      return z.NEVER;
    })
    .describe("`next` of the page before this one.");
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}

export const limit = z.coerce
  .number()
  .int("is not a whole number")
  .min(1)
  .max(limits.perPageMax)
  .default(limits.perPage)
  .describe("How many there are in a page at most.");

export function pageOf<Item>(item: z.ZodType<Item>) {
  return z.strictObject({
    items: z.array(item),
    next: z
      .string()
      .exactOptional()
      .describe("The cursor of the page after this one; without it there is none."),
  });
}

/** A page, and where the next one begins, if there is one. */
export function page<Item>(items: readonly Item[], next: unknown) {
  const cursor = Buffer.from(JSON.stringify(next ?? null)).toString("base64url");
  return { items: [...items], ...(next !== undefined && { next: cursor }) };
}

/** The page of what was looked for, one more than `most`; `positionOf` says where the next one begins. */
export function firstOf<Found>(
  found: readonly Found[],
  most: number,
  positionOf: (one: Found) => unknown,
) {
  const shown = found.slice(0, most);
  const last = shown.at(-1);
  const next = found.length > most && last !== undefined ? positionOf(last) : undefined;
  return { shown, next };
}

const tppNamed = z.strictObject({ id: z.string(), name: z.string() });

export const permissionKind = z
  .enum(["accounts", "funds"])
  .describe("Account information, or confirmation of funds.");
export const permissionId = uuid.describe("The consent's id.");
/** A place in a list that only the store reads. */
export const positionIn = <Position extends string>() =>
  z.string().max(200) as unknown as z.ZodType<Position, string>;

export const permissionSent = z
  .strictObject({
    id: uuid,
    kind: z.enum(["accounts", "funds"]),
    state: z.enum(["active", "waiting", "revoked", "expired", "ended-by-tpp", "never-confirmed"]),
    tpp: tppNamed,
    requestedAt: instant,
    authorisedAt: instant.exactOptional(),
    firstUsedAt: instant.exactOptional(),
    lastReadAt: instant.exactOptional(),
    endedAt: instant.exactOptional(),
    validUntil: z.iso.date().exactOptional().describe("The last day of a consent to accounts."),
    accounts: z.array(
      z.strictObject({
        iban: z.string(),
        currency: z.string().exactOptional(),
        name: z.string().exactOptional(),
        rights: z.array(z.enum(["balances", "transactions", "ownerName"])).exactOptional(),
      }),
    ),
  })
  .meta({ id: "Permission", description: "What a customer has let a TPP do, or was asked to." });

type ConsentPermission = Exclude<Permission, { readonly kind: "payments" }>;

/** Of a list of one kind. */
export const toPermissions = (all: readonly Permission[]) =>
  all.flatMap((one) => (one.kind === "payments" ? [] : [toPermission(one)]));

export function toPermission(permission: ConsentPermission): z.infer<typeof permissionSent> {
  const { kind, state, tpp, requestedAt, endedAt, lastReadAt, accounts, consent } = permission;
  const { authorisedAt, firstUsedAt } = consent;
  return {
    id: consent.id,
    kind,
    state: permissionSent.shape.state.parse(state),
    tpp: { id: tpp.id, name: tpp.name },
    requestedAt: requestedAt.toISOString(),
    ...instants({ authorisedAt, firstUsedAt, lastReadAt, endedAt }),
    ...(permission.kind === "accounts" && { validUntil: permission.consent.validUntil }),
    accounts: accounts.map(({ iban, currency, name, rights }) => ({
      iban,
      ...(currency !== undefined && { currency }),
      ...(name !== undefined && { name }),
      ...(rights !== undefined && {
        rights: (["balances", "transactions", "ownerName"] as const).filter((one) => rights[one]),
      }),
    })),
  };
}

/** Those that are there, as text. */
function instants<Name extends string>(given: Readonly<Record<Name, Date | undefined>>) {
  const entries = Object.entries<Date | undefined>(given).flatMap(([name, at]) =>
    at === undefined ? [] : [[name, at.toISOString()]],
  );
  return Object.fromEntries(entries) as { readonly [Each in Name]?: string };
}

export const accessSent = z
  .strictObject({
    at: instant,
    what: z.string(),
    iban: z.string().exactOptional(),
    attended: z.boolean().describe("Whether the customer was there."),
  })
  .meta({ id: "Access", description: "What a TPP has read by a permission." });

export function toAccess({ at, what, attended, account }: HistoryLine) {
  return {
    at: at.toISOString(),
    what,
    attended,
    ...(account !== undefined && { iban: account.iban }),
  };
}

export const paymentSent = z
  .strictObject({
    id: uuid,
    state: z.enum([
      "waiting",
      "never-confirmed",
      "in-progress",
      "waiting-for-funds",
      "paid",
      "refused-by-bank",
    ]),
    status: z.string().describe("ISO 20022, as the TPP is told."),
    reason: z.string().exactOptional().describe("Of a rejection."),
    tpp: tppNamed,
    product: z.string(),
    amount: z.strictObject({ currency: z.string(), amount: z.string() }),
    debtorIban: z.string(),
    creditor: z.strictObject({ name: z.string(), iban: z.string() }),
    endToEndId: z.string().exactOptional(),
    remittance: z.string().exactOptional(),
    requestedAt: instant,
    authorisedAt: instant.exactOptional(),
    statusAt: instant,
  })
  .meta({ id: "Payment", description: "What a customer has paid through a TPP, or was asked to." });

type PaymentPermission = Extract<Permission, { readonly kind: "payments" }>;

export const toPayments = (all: readonly Permission[]) =>
  all.flatMap((one) => (one.kind === "payments" ? [toPayment(one)] : []));

function toPayment({ payment, state, tpp, requestedAt }: PaymentPermission) {
  const { order, status, reason: because, authorisedAt, statusAt } = payment;
  const { creditor, debtor, endToEndId, remittance } = order;
  return {
    id: payment.id,
    state: paymentSent.shape.state.parse(state),
    status,
    ...(because !== undefined && { reason: because }),
    tpp: { id: tpp.id, name: tpp.name },
    product: order.product,
    amount: { currency: order.amount.currency, amount: amountOf(order.amount) },
    debtorIban: debtor.iban,
    creditor: { name: creditor.name, iban: creditor.iban },
    ...(endToEndId !== undefined && { endToEndId }),
    ...(remittance !== undefined && { remittance }),
    requestedAt: requestedAt.toISOString(),
    ...instants({ authorisedAt }),
    statusAt: statusAt.toISOString(),
  };
}

export const eventSent = z
  .strictObject({
    id: z.string(),
    recordedAt: instant,
    at: instant.describe("By the bank's clock, which a sandbox may have moved."),
    retention: z.enum(retentions),
    kind: z.enum(Object.keys(eventKinds) as [keyof typeof eventKinds]),
    tppId: z.string().exactOptional(),
    requestId: uuid.exactOptional(),
    resourceKind: z.enum(["AIS", "PIIS", "PIS"]).exactOptional(),
    resourceId: uuid.exactOptional(),
    subject: uuid.exactOptional().describe("The customer's pseudonym in this month."),
    actor: z.string().exactOptional(),
    detail: z.record(z.string(), z.json()),
  })
  .meta({ id: "Event", description: "What was recorded; docs/events.md has the kinds." });

export function toEvent({ line }: EventLine): z.infer<typeof eventSent> {
  return eventSent.parse(JSON.parse(line));
}

export const eventsQuery = z.strictObject({
  from: instant.exactOptional().describe("Recorded then or later."),
  to: instant.exactOptional().describe("Recorded before."),
  retention: z.enum(retentions).exactOptional().describe("Of this retention alone."),
  customerId: customerId.exactOptional().describe("Of this customer alone."),
  tppId: tppId.exactOptional().describe("Of this TPP alone."),
  resourceId: uuid.exactOptional().describe("Of this permission or payment alone."),
  requestId: uuid
    .transform((id) => id.toLowerCase() as RequestId)
    .exactOptional()
    .describe("Of the TPP's call with this X-Request-ID alone."),
  limit,
  cursor: cursorOf(z.strictObject({ recordedAt: instant, id: z.string().regex(/^\d{1,19}$/) }))
    .exactOptional()
    .describe("`next` of the page before this one."),
});

export const tppSent = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    authority: z.strictObject({ id: z.string(), name: z.string() }),
    roles: z.array(z.string()),
    changedAt: instant.describe("When its certificates last named it otherwise."),
    blocked: z
      .strictObject({
        since: instant,
        until: instant.exactOptional(),
        reason: z.string().exactOptional(),
      })
      .exactOptional(),
    certificates: z.array(
      z.strictObject({
        kind: z.enum(["QWAC", "QSEAL"]),
        thumbprint: z.string().describe("base64url of the SHA-256 of its DER."),
        serialNumber: z.string().describe("Hexadecimal."),
        issuer: z.string(),
        notAfter: instant,
        firstSeenAt: instant,
      }),
    ),
  })
  .meta({ id: "Tpp", description: "A TPP that has called, with its latest certificates." });

export function toTpp(tpp: KnownTpp): z.infer<typeof tppSent> {
  const { id, name, authorityId, authorityName, roles, changedAt, blocked, certificates } = tpp;
  return {
    id,
    name,
    authority: { id: authorityId, name: authorityName },
    roles: [...roles],
    changedAt: changedAt.toISOString(),
    ...(blocked !== undefined && {
      blocked: {
        since: blocked.blockedAt.toISOString(),
        ...instants({ until: blocked.until }),
        ...(blocked.reason !== undefined && { reason: blocked.reason }),
      },
    }),
    certificates: certificates.map(({ notAfter, firstSeenAt, ...one }) => ({
      ...one,
      notAfter: notAfter.toISOString(),
      firstSeenAt: firstSeenAt.toISOString(),
    })),
  };
}

export const optOutSent = z
  .strictObject({
    kind: z.enum(permissionKinds),
    tpp: z
      .strictObject({ id: z.string(), name: z.string().exactOptional() })
      .exactOptional()
      .describe("Left out, any TPP."),
    setAt: instant,
    setBy: z.string().exactOptional().describe("Who acted for the bank; left out, the customer."),
  })
  .meta({ id: "OptOut", description: "What no TPP, or not this one, may ask a customer for." });

export function toOptOut({ kind, tppId: id, tppName: name, setAt, setBy }: StandingOptOut) {
  return {
    kind,
    ...(id !== undefined && { tpp: { id, ...(name !== undefined && { name }) } }),
    setAt: setAt.toISOString(),
    ...(setBy !== undefined && { setBy }),
  };
}

export const optOutAsked = z.strictObject({
  kind: z.enum(permissionKinds),
  tppId: tppId.exactOptional(),
  reason: reason.exactOptional(),
});

export const blockRequestAsked = z.strictObject({
  action: z.enum(tppActions),
  basis: z
    .enum(Object.keys(legalBases) as [LegalBasis, ...LegalBasis[]])
    .describe("On what ground (PSD2 art. 68(5))."),
  reason,
  until: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .exactOptional()
    .describe("When a block ends."),
});

const day = z.iso.date().transform((text) => text as IsoDate);

export const statisticsQuery = z
  .strictObject({
    from: day.describe("The first day of the counts, a local one of the bank."),
    to: day.describe("The last day."),
    tppId: tppId.exactOptional().describe("Of this TPP alone."),
  })
  .refine(({ from, to }) => from <= to && addDays(from, COUNT_DAYS_SHOWN_MAX) > to, {
    error: `is before from, or more than ${COUNT_DAYS_SHOWN_MAX} days`,
    path: ["to"],
  });

export const statisticsSent = z
  .strictObject({
    countedTo: instant.exactOptional().describe("The counts by the day are whole up to then."),
    permissions: z.array(
      z.strictObject({ kind: z.enum(["accounts", "funds"]), status: z.string(), count: z.int() }),
    ),
    days: z.array(
      z.strictObject({
        day: z.iso.date(),
        what: z.enum(counted),
        value: z.string().exactOptional(),
        part: z.string().exactOptional(),
        count: z.int(),
      }),
    ),
  })
  .meta({ id: "Statistics", description: "What the database has counted." });

type Counted = {
  readonly days: readonly DayCount[];
  readonly consents: readonly ConsentCount[];
  readonly countedTo: Date | undefined;
};

export function toStatistics({ days, consents, countedTo }: Counted) {
  return {
    ...instants({ countedTo }),
    permissions: consents.map(({ kind, ...one }) => ({
      kind: kind === "AIS" ? ("accounts" as const) : ("funds" as const),
      ...one,
    })),
    days: [...days],
  };
}
