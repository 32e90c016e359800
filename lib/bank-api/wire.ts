import * as z from "zod";
import type { AccessRights } from "@/lib/domain/accounts";
import { CORE_BANK_ID_CHARACTERS_MAX, isCoreBankId } from "@/lib/domain/core-bank";
import { type EventLine, kindsOfEvents, retentions } from "@/lib/domain/events";
import { type Permission, permissionKinds } from "@/lib/domain/permissions";
import { COUNT_DAYS_SHOWN_MAX, counted } from "@/lib/domain/statistics";
import { isTppId } from "@/lib/domain/tpp";
import { type LegalBasis, legalBases, tppActions } from "@/lib/domain/tpp-blocks";
import {
  addDays,
  amountOf,
  type IsoDate,
  isUuid,
  type Money,
  type PsuId,
  type RequestId,
  type TppId,
} from "@/lib/domain/values";
import { jsonIn } from "@/lib/json";

/** What the bank API takes and answers, as JSON. */

const limits = { perPage: 50, perPageMax: 200, reasonCharactersMax: 500 } as const;

const instant = z.iso.datetime();
/** The database has no year 0. */
const instantNamed = instant.refine((text) => !text.startsWith("0000"), "is before the year 1");
export const instantAsked = instant.transform((text) => new Date(text));
const instantSent = z
  .date()
  .transform((at) => at.toISOString())
  .pipe(instant);
const uuid = z.string().refine(isUuid, "is not a UUID").meta({ format: "uuid" });

export const customerId = z
  .string()
  .min(1)
  .max(CORE_BANK_ID_CHARACTERS_MAX)
  .refine(isCoreBankId, "is not an id of the core bank")
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
      const read = position.safeParse(jsonIn(Buffer.from(text, "base64url").toString()));
      if (read.success) return read.data;
      addIssue("is not a cursor of this list");
      return z.NEVER;
    })
    .describe("`next` of the page before this one.");
}

export const limit = z.coerce
  .number()
  .int("is not a whole number")
  .min(1)
  .max(limits.perPageMax)
  .default(limits.perPage)
  .describe("How many there are in a page at most.");

const nextCursor = z
  .string()
  .exactOptional()
  .describe("The cursor of the page after this one; without it there is none.");

export function pageOf<Sent, Item>(item: z.ZodType<Sent, Item>) {
  return z.object({
    items: z.array(item),
    next: nextCursor,
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
  return page(shown, next);
}

const tppNamed = z.object({ id: z.string(), name: z.string() });

export const permissionKind = z
  .enum(["accounts", "funds"])
  .describe("Account information, or confirmation of funds.");
export const permissionId = uuid.describe("The consent's id.");
/** A place in a list that only the store reads. */
export const positionIn = <Position extends string>() =>
  z.string().max(200) as unknown as z.ZodType<Position, string>;

const rights = ["balances", "transactions", "ownerName"] as const;
const rightsSent = z
  .custom<AccessRights>()
  .transform((given) => rights.filter((one) => given[one]))
  .pipe(z.array(z.enum(rights)));

export const permissionSent = z
  .object({
    id: uuid,
    kind: z.enum(["accounts", "funds"]),
    state: z.enum(["active", "waiting", "revoked", "expired", "ended-by-tpp", "never-confirmed"]),
    tpp: tppNamed,
    requestedAt: instantSent,
    authorisedAt: instantSent.optional(),
    firstUsedAt: instantSent.optional(),
    lastReadAt: instantSent.optional(),
    endedAt: instantSent.optional(),
    validUntil: z.iso.date().optional().describe("The last day of a consent to accounts."),
    accounts: z.array(
      z.object({
        iban: z.string(),
        currency: z.string().optional(),
        name: z.string().optional(),
        rights: rightsSent.optional(),
      }),
    ),
  })
  .meta({ id: "Permission", description: "What a customer has let a TPP do, or was asked to." });

/** Consents, each with what is known of it as a permission; `permissionSent` names what is sent. */
export const toConsents = (all: readonly Permission[]) =>
  all.flatMap((one) => {
    if (one.kind === "payments") return [];
    const state = permissionSent.shape.state.parse(one.state);
    return [{ ...one.consent, ...one, state, accounts: [...one.accounts] }];
  });

export const accessSent = z
  .object({
    at: instantSent,
    what: z.string(),
    account: z.object({ iban: z.string() }).optional(),
    attended: z.boolean().describe("Whether the customer was there."),
  })
  .meta({ id: "Access", description: "What a TPP has read by a permission." });

const amountSent = z
  .custom<Money>()
  .transform((given) => ({ currency: String(given.currency), amount: amountOf(given) }))
  .pipe(z.object({ currency: z.string(), amount: z.string() }));

export const paymentSent = z
  .object({
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
    reason: z.string().optional().describe("Of a rejection."),
    tpp: tppNamed,
    product: z.string(),
    amount: amountSent,
    debtor: z.object({ iban: z.string() }),
    creditor: z.object({ name: z.string(), iban: z.string() }),
    endToEndId: z.string().optional(),
    remittance: z.string().optional(),
    requestedAt: instantSent,
    authorisedAt: instantSent.optional(),
    statusAt: instantSent,
  })
  .meta({ id: "Payment", description: "What a customer has paid through a TPP, or was asked to." });

export const toPayments = (all: readonly Permission[]) =>
  all.flatMap((one) => {
    if (one.kind !== "payments") return [];
    const { payment, tpp, requestedAt } = one;
    const state = paymentSent.shape.state.parse(one.state);
    return [{ ...payment.order, ...payment, tpp, requestedAt, state }];
  });

const eventRecorded = z
  .strictObject({
    id: z.string(),
    recordedAt: instant,
    at: instant.describe("By the bank's clock, which a sandbox may have moved."),
    retention: z.enum(retentions),
    kind: z.enum(kindsOfEvents),
    tppId: z.string().exactOptional(),
    requestId: uuid.exactOptional(),
    resourceKind: z.enum(["AIS", "PIIS", "PIS"]).exactOptional(),
    resourceId: uuid.exactOptional(),
    subject: uuid.exactOptional().describe("The customer's pseudonym in this month."),
    actor: z.string().exactOptional(),
    detail: z.record(z.string(), z.json()),
  })
  .meta({ id: "Event", description: "What was recorded; docs/events.md has the kinds." });

export const eventSent = z
  .custom<EventLine>()
  .transform(({ line }): unknown => JSON.parse(line))
  .pipe(eventRecorded);

const eventPosition = z.strictObject({
  recordedAt: instantNamed,
  id: z.string().regex(/^\d{1,18}$/),
  retention: z.enum(retentions).optional(),
});

export const eventsQuery = z.strictObject({
  from: instantNamed.exactOptional().describe("Recorded then or later."),
  to: instantNamed.exactOptional().describe("Recorded before."),
  retention: z.enum(retentions).exactOptional().describe("Of this retention alone."),
  kind: z.enum(kindsOfEvents).exactOptional().describe("Of this kind alone."),
  customerId: customerId.exactOptional().describe("Of this customer alone."),
  tppId: tppId.exactOptional().describe("Of this TPP alone."),
  resourceId: uuid.exactOptional().describe("Of this permission or payment alone."),
  requestId: uuid
    .transform((id) => id.toLowerCase() as RequestId)
    .exactOptional()
    .describe("Of the TPP's call with this X-Request-ID alone."),
  limit,
  cursor: cursorOf(eventPosition).exactOptional().describe("`next` of the page before this one."),
});

export const tppSent = z
  .object({
    id: z.string(),
    name: z.string(),
    authorityId: z.string(),
    authorityName: z.string(),
    roles: z
      .array(z.string())
      .readonly()
      .describe("Of all its QWACs, as of its latest request for a permission or payment."),
    changedAt: instantSent.describe("When its certificates last named it otherwise."),
    blocked: z
      .object({
        blockedAt: instantSent,
        until: instantSent.optional(),
        reason: z.string().optional(),
      })
      .optional(),
    certificates: z
      .array(
        z.object({
          kind: z.enum(["QWAC", "QSEAL"]),
          thumbprint: z.string().describe("base64url of the SHA-256 of its DER."),
          serialNumber: z.string().describe("Hexadecimal."),
          issuer: z.string(),
          notAfter: instantSent,
          firstSeenAt: instantSent,
        }),
      )
      .readonly(),
  })
  .meta({ id: "Tpp", description: "A TPP that has called, with its latest certificates." });

export const optOutSent = z
  .object({
    kind: z.enum(permissionKinds),
    tppId: z.string().optional().describe("Left out, any TPP."),
    tppName: z.string().optional(),
    setAt: instantSent,
    setBy: z.string().optional().describe("Who acted for the bank; left out, the customer."),
  })
  .meta({ id: "OptOut", description: "What no TPP, or not this one, may ask a customer for." });

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
  until: instantAsked.exactOptional().describe("When a block ends."),
});

const day = z.iso.date().transform((text) => text as IsoDate);

const countPlace = z.strictObject({
  day,
  what: z.enum(counted),
  value: z.string().exactOptional(),
  part: z.string().exactOptional(),
});

export const statisticsQuery = z
  .strictObject({
    from: day.describe("The first day of the counts, a local one of the bank."),
    to: day.describe("The last day."),
    tppId: tppId.exactOptional().describe("Of this TPP alone."),
    limit,
    cursor: cursorOf(countPlace).exactOptional(),
  })
  .refine(({ from, to }) => from <= to && addDays(from, COUNT_DAYS_SHOWN_MAX) > to, {
    error: `is before from, or more than ${COUNT_DAYS_SHOWN_MAX} days`,
    path: ["to"],
  });

export const statisticsSent = z
  .object({
    countedTo: instantSent.optional().describe("The counts by the day are whole up to then."),
    permissions: z
      .array(
        z.object({
          kind: z
            .enum(["AIS", "PIIS"])
            .transform((kind) => (kind === "AIS" ? "accounts" : "funds"))
            .pipe(z.enum(["accounts", "funds"])),
          status: z.string(),
          count: z.int(),
        }),
      )
      .readonly(),
    days: z
      .array(z.object({ ...countPlace.shape, day: z.iso.date(), count: z.int() }))
      .describe("A page of the counts by the day."),
    next: nextCursor,
  })
  .meta({ id: "Statistics", description: "What the database has counted." });
