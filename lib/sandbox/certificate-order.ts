import * as z from "zod";
import type { Psd2Role } from "@/lib/domain/tpp";
import { certificatesWith, isDefect } from "./defects";

/** PSD2 roles as ETSI TS 119 495 names them. */
export const psd2Roles: readonly Psd2Role[] = ["PSP_AI", "PSP_PI", "PSP_IC", "PSP_AS"];
export const orderLimits = { daysDefault: 730, daysMax: 3_650, nameCharactersMax: 64 } as const;

const ID = /^PSD[A-Z]{2}-[A-Z]{2,8}-[\x21-\x7E]{1,200}$/;
const AUTHORITY_ID = /^[A-Z]{2}-[A-Z]{2,8}$/;
const DOMAIN = /^(\*\.)?[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$/i;
const DAYS = /^[1-9]\d{0,3}$/;

const text = z.string().trim();
/** What is left empty is not given. */
const optional = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  text
    .optional()
    .transform((given) => given || undefined)
    .pipe(schema.optional());
const name = text.refine(
  (given) =>
    given.length > 0 &&
    given.length <= orderLimits.nameCharactersMax &&
    !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(given),
  `must be a name of at most ${orderLimits.nameCharactersMax} characters, without line breaks`,
);
const isRole = (given: string): given is Psd2Role => psd2Roles.some((role) => role === given);

const order = z
  .object({
    id: text.regex(ID, "must be of the form PSDRO-NBR-1234567"),
    name,
    roles: z
      .array(text)
      .min(1, `must be some of ${psd2Roles.join(", ")}`)
      .superRefine((given, context) => {
        const unknown = given.filter((role) => !isRole(role));
        if (unknown.length > 0) context.addIssue(`${unknown.join(", ")} is no PSD2 role`);
        if (new Set(given).size < given.length) context.addIssue("names a role twice");
      })
      .readonly()
      .transform((given) => given.filter(isRole)),
    authorityId: optional(z.string().regex(AUTHORITY_ID, "must be of the form RO-NBR")),
    authorityName: optional(name),
    domain: optional(
      z.string().regex(DOMAIN, "must be a host name, as in tpp.example").toLowerCase(),
    ),
    days: optional(
      z
        .string()
        .refine(
          (given) => DAYS.test(given) && Number(given) <= orderLimits.daysMax,
          `must be a number of days from 1 to ${orderLimits.daysMax}`,
        )
        .transform(Number),
    ),
    defect: optional(
      z.string().transform((given, context) => {
        if (isDefect(given)) return given;
        context.addIssue(`${given} is not in the list of defects`);
        return z.NEVER;
      }),
    ),
    in: optional(z.enum(["qwac", "qseal"], "is qwac or qseal")),
  })
  .transform(({ days = orderLimits.daysDefault, defect, in: place, ...organisation }, context) => {
    if (defect === undefined) return { organisation, days };
    const [usual] = certificatesWith(defect);
    const kind = certificatesWith(defect).find((one) => one === place);
    if (place !== undefined && kind === undefined) {
      const message = `the defect ${defect} makes no sense in a ${place}`;
      context.addIssue({ code: "custom", message, path: ["in"] });
    }
    return { organisation, days, defect: { defect, in: kind ?? usual } };
  });

/** Certificates as a person orders them, by the command or in a form. */
export type OrderTexts = z.input<typeof order>;
export type CertificateOrder = z.output<typeof order>;
export type OrderField = keyof OrderTexts;
export type OrderFault = { readonly field: OrderField; readonly text: string };

/** The order, or all that is wrong with it. */
export function readOrder(
  texts: OrderTexts,
): { readonly order: CertificateOrder } | { readonly faults: readonly OrderFault[] } {
  const { data, error } = order.safeParse(texts);
  if (data !== undefined) return { order: data };
  return {
    faults: error.issues.map(({ path, message }) => ({
      field: path[0] as OrderField,
      text: message,
    })),
  };
}
