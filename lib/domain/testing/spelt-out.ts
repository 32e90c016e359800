import type { CodeWording } from "../sca/code-message";

/** In place of any language: a text message whose values can be read back. */
export const speltOut: CodeWording = (message) =>
  JSON.stringify(message, (_name, value) => (typeof value === "bigint" ? String(value) : value));

export const readBack = (text: string | undefined): unknown => JSON.parse(text ?? "null");
