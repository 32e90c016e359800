"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { TppId } from "@/lib/domain/values";
import { callInWords } from "@/lib/sandbox/api/serve";
import { DEMO_TPP } from "@/lib/sandbox/demo-tpp";
import { services } from "@/lib/services";
import { isOpenTo } from "@/lib/workshop/means";
import { formOf, textOf } from "../workshop/form";

export type CallState =
  | {
      /** Another for each answer, so that React renders the fields from scratch. */
      readonly key: string;
      readonly filled: { readonly operationId: string; readonly id: string; readonly body: string };
      readonly answer: string;
    }
  | undefined;

/** A call of the sandbox API for the demo TPP. */
export async function callAction(_before: CallState, sent: FormData): Promise<CallState> {
  const { namespaces, ...ours } = services();
  if (!isOpenTo(new Headers(await headers()), ours.config) || namespaces === undefined) notFound();
  const form = formOf(sent);
  const filled = {
    operationId: textOf(form, "operation"),
    id: textOf(form, "id"),
    body: textOf(form, "body"),
  };
  const answer = await callInWords(filled, DEMO_TPP.id as string as TppId, { ...ours, namespaces });
  return { key: crypto.randomUUID(), filled, answer };
}
