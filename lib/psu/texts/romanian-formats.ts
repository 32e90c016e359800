/** How Romanian is written by this bank. */
export const formats = {
  locale: "ro-RO",
  and: "și",
  quotes: ["„", "”"],
  // Its letters are not those of GSM 7 bit either.
  messageQuotes: ["„", "”"],
} as const;

type Forms = {
  /** The whole phrase, for numbers differ in gender. */
  readonly one: string;
  readonly many: string;
};

const plurals = new Intl.PluralRules(formats.locale);

/** `1 cont`, `2 conturi`, `20 de conturi`: from twenty on, and again after each hundred's nineteen. */
export function counted(count: number, { one, many }: Forms): string {
  const plural = plurals.select(count);
  if (plural === "one") return one;
  return plural === "few" ? `${count} ${many}` : `${count} de ${many}`;
}
