/** How English is written by this bank. */
export const formats = {
  locale: "en-GB",
  and: "and",
  quotes: ["“", "”"],
  messageQuotes: ['"', '"'],
} as const;
