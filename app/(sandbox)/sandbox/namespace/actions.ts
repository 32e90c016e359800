"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { TppId } from "@/lib/domain/values";
import { callInWords } from "@/lib/sandbox/api/forms";
import { DEMO_TPP } from "@/lib/sandbox/demo-tpp";
import { services } from "@/lib/services";
import { isOpenTo } from "@/lib/workshop/context";
import { formOf, textOf } from "../workshop/form";

export type CallState =
  | {
      /** Another for each answer, so that React renders the fields from scratch. */
      readonly key: string;
      readonly operationId: string;
      readonly filled: Readonly<Record<string, string>>;
      readonly answer: string;
    }
  | undefined;

/** A call of the sandbox API for the demo TPP. */
export async function callAction(_before: CallState, sent: FormData): Promise<CallState> {
  const { namespaces, sandboxClock, ...ours } = services();
  if (!isOpenTo(new Headers(await headers()), ours.config)) notFound();
  if (namespaces === undefined || sandboxClock === undefined) notFound();
  const form = formOf(sent);
  const operationId = textOf(form, "operation");
  const inField = (name: string) => textOf(form, name);
  const called = { operationId, inField };
  const sandbox = { ...ours, namespaces, sandboxClock };
  const answer = await callInWords(called, DEMO_TPP.id as string as TppId, sandbox);
  const filled = Object.fromEntries([...form.keys()].map((name) => [name, inField(name)]));
  return { key: crypto.randomUUID(), operationId, filled, answer };
}
