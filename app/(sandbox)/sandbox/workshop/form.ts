import type { IssuedFile } from "@/lib/sandbox/certificate-issuing";
import type { OrderFault, OrderField } from "@/lib/sandbox/certificate-order";
import type { PasteFault, PasteField } from "@/lib/workshop/read-paste";
import type { Step } from "@/lib/workshop/step";

/** A form as it was filled in, and the outcome; undefined before it is sent. */
type State<Fields, Outcome> =
  | {
      /** Another for each answer, so that React renders the fields from scratch. */
      readonly id: string;
      readonly filled: Fields;
      readonly outcome: Outcome;
    }
  | undefined;

export type ExplainFields = Readonly<Record<PasteField, string>>;
export type ExplainState = State<
  ExplainFields,
  | { readonly kind: "fault"; readonly fault: PasteFault }
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
>;

export type CertificateFields = Readonly<Record<Exclude<OrderField, "roles">, string>> & {
  readonly roles: readonly string[];
};
export type CertificateState = State<
  CertificateFields,
  | { readonly kind: "faults"; readonly faults: readonly OrderFault[] }
  | {
      readonly kind: "files";
      readonly note: string;
      readonly files: readonly IssuedFile[];
      /** All of them in base64 of a tar archive. */
      readonly archive: string;
    }
>;

/** An action can be called with anything; what is no form is taken as one without fields. */
export function formOf(sent: unknown): FormData {
  return sent instanceof FormData ? sent : new FormData();
}

/** A field's text; a file in its place, or nothing at all, counts as empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
