import type { OrderFault } from "@/lib/sandbox/certificate-order";
import type { MintedFile } from "@/lib/sandbox/mint";
import type { PasteFault } from "@/lib/workshop/read-paste";
import type { Step } from "@/lib/workshop/step";

/** A form as it was filled in, and what came of it. */
export type ExplainState =
  | {
      /** Another for each answer, so that the page shows the fields anew. */
      readonly id: string;
      readonly filled: ExplainFields;
      readonly outcome:
        | { readonly kind: "fault"; readonly fault: PasteFault }
        | { readonly kind: "steps"; readonly steps: readonly Step[] };
    }
  | undefined;

export type ExplainFields = {
  readonly request: string;
  readonly certificate: string;
  readonly at: string;
};

export type MintFields = {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly authorityId: string;
  readonly authorityName: string;
  readonly domain: string;
  readonly days: string;
  readonly defect: string;
  readonly in: string;
};

export type MintState =
  | {
      readonly id: string;
      readonly filled: MintFields;
      readonly outcome:
        | { readonly kind: "faults"; readonly faults: readonly OrderFault[] }
        | { readonly kind: "files"; readonly note: string; readonly files: readonly MintedFile[] };
    }
  | undefined;

/** Whatever calls an action by itself may hand over anything; what is no form is one without fields. */
export function formOf(sent: unknown): FormData {
  return sent instanceof FormData ? sent : new FormData();
}

/** A field's text; a file in its place, or nothing at all, counts as empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
