import type { z } from "zod";
import { shown } from "@/lib/eidas/shown";

/** The message by which a rule says that something is not there. */
export const isMissing = "missing";

const KINDS: Readonly<Record<string, string>> = {
  object: "an object",
  array: "a list",
  string: "a text",
  number: "a number",
  boolean: "true or false",
};
const SHORT_CHARACTERS_MAX = 12;
/** How the rules of this interface begin: what they speak of is named by its path. */
const ABOUT_THE_PART = /^(?:is|are|must|has|goes|names|lies) /;

/**
 * What a rule says, about which part, and what was sent there: a client's developer sees the answer
 * and often not the request.
 */
export function issueText(issue: z.core.$ZodIssue, path: string, sent: unknown): string {
  const { message } = issue;
  const isDefault = /^(?:Invalid|Too (?:big|small))/.test(message);
  const notThere = issue.code === "invalid_type" && isDefault && sent === undefined;
  if (message === isMissing || notThere) return `${path} is missing`;
  const rule = isDefault ? (inWords(issue) ?? `is not accepted: ${message}`) : message;
  if (path === "" || !ABOUT_THE_PART.test(rule)) return rule;
  return `${path} ${rule}${inShort(sent, issue.code)}`;
}

/** The rules that zod words itself. */
function inWords(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "invalid_type") {
    const kind = KINDS[issue.expected];
    return kind && `is not ${kind}`;
  }
  if (issue.code !== "too_big") return undefined;
  if (issue.origin === "string") return `has more than ${issue.maximum} characters`;
  return issue.origin === "array" ? `has more than ${issue.maximum} entries` : undefined;
}

/** Long texts may be account or card numbers, which are not for the logs that answers end in. */
function inShort(sent: unknown, code: z.core.$ZodIssue["code"]): string {
  if (sent === undefined) return "";
  if (typeof sent === "object" && sent !== null) {
    const kind = Array.isArray(sent) ? KINDS["array"] : KINDS["object"];
    return code === "custom" ? "" : `; ${kind} was sent`;
  }
  const isLong = typeof sent === "string" && sent.length > SHORT_CHARACTERS_MAX;
  if (isLong) return `; a text of ${sent.length} characters was sent`;
  return `; ${shown(JSON.stringify(sent))} was sent`;
}
