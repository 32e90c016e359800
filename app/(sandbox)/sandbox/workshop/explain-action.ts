"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { house } from "@/lib/composition";
import { explain } from "@/lib/workshop/explain";
import { isOpenTo } from "@/lib/workshop/open-to";
import { type PasteField, readPaste } from "@/lib/workshop/read-paste";
import { withoutSecrets } from "@/lib/workshop/without-secrets";
import { formOf, textOf } from "./form-text";
import type { ExplainFields, ExplainState } from "./state";

/** Explains a pasted request. What was filled in goes back into the form, its secrets excepted. */
export async function explainAction(_before: ExplainState, sent: FormData): Promise<ExplainState> {
  const ours = house();
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
