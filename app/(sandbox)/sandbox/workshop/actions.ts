"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { type CertificateOrder, type OrderField, readOrder } from "@/lib/sandbox/certificate-order";
import { defects, refusalOf } from "@/lib/sandbox/defects";
import { orderedFiles, TOO_MANY_ORDERS } from "@/lib/sandbox/serve-certificates";
import { services } from "@/lib/services";
import { isOpenTo } from "@/lib/workshop/context";
import { explain } from "@/lib/workshop/explain";
import { withoutSecrets } from "@/lib/workshop/raw-request";
import { type PasteField, readPaste } from "@/lib/workshop/read-paste";
import {
  type CertificateFields,
  type CertificateState,
  type ExplainFields,
  type ExplainState,
  formOf,
  textOf,
} from "./form";

/** Explains a pasted request. What was filled in goes back into the form, its secrets excepted. */
export async function explainAction(_before: ExplainState, sent: FormData): Promise<ExplainState> {
  const ours = services();
  if (!isOpenTo(new Headers(await headers()), ours.config)) notFound();
  const form = formOf(sent);
  const filled: ExplainFields = {
    request: textOf(form, "request"),
    certificate: textOf(form, "certificate"),
    at: textOf(form, "at"),
  };
  const id = crypto.randomUUID();
  const read = readPaste({ ...filled, request: Buffer.from(filled.request) });
  if ("fault" in read) {
    const { field, text, forget } = read.fault;
    const shown = shownAgain(filled, forget);
    return { id, filled: shown, outcome: { kind: "fault", fault: { field, text } } };
  }
  const now = read.at ?? (await ours.clock.now());
  const steps = await explain(read.presented, { ...ours, now });
  return { id, filled: shownAgain(filled), outcome: { kind: "steps", steps } };
}

function shownAgain(filled: ExplainFields, forget: readonly PasteField[] = []): ExplainFields {
  const forgotten = Object.fromEntries(forget.map((field) => [field, ""]));
  return { ...filled, request: withoutSecrets(filled.request), ...forgotten };
}

/** Issues certificates of the sandbox CA. The keys are part of the answer alone, and are kept nowhere. */
export async function issueAction(
  _before: CertificateState,
  sent: FormData,
): Promise<CertificateState> {
  const ours = services();
  if (!isOpenTo(new Headers(await headers()), ours.config)) notFound();
  const filled = fieldsOf(formOf(sent));
  const id = crypto.randomUUID();
  const read = readOrder(filled);
  if ("faults" in read) return { id, filled, outcome: { kind: "faults", faults: read.faults } };
  const made = await orderedFiles(read.order, ours);
  if (made === undefined) {
    const faults = [{ field: "id", text: TOO_MANY_ORDERS }] as const;
    return { id, filled, outcome: { kind: "faults", faults } };
  }
  const { files } = made;
  const archive = made.archive.toString("base64");
  return { id, filled, outcome: { kind: "files", note: noteOn(read.order), files, archive } };
}

function noteOn({ defect }: CertificateOrder): string {
  if (defect === undefined) return "Both certificates are good.";
  const name = defect.in === "qwac" ? "The QWAC" : "The QSealC";
  const refusal = refusalOf(defect);
  const answer = refusal === undefined ? "" : ` The bank answers ${refusal.code}.`;
  return `${name} ${defects[defect.defect].what}; the other one is good.${answer}`;
}

function fieldsOf(form: FormData): CertificateFields {
  const text = (name: OrderField) => textOf(form, name);
  return {
    id: text("id"),
    name: text("name"),
    roles: form.getAll("roles").filter((role) => typeof role === "string"),
    authorityId: text("authorityId"),
    authorityName: text("authorityName"),
    domain: text("domain"),
    days: text("days"),
    defect: text("defect"),
    in: text("in"),
  };
}
