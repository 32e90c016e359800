/**
 * A value that somebody else wrote, in a text that goes back to them: cut to `charactersMax`, and
 * what is no visible character (controls, line breaks, marks that turn the writing round) as `?`.
 */
export function shown(value: string, charactersMax = 60): string {
  const plain = value.slice(0, charactersMax).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return value.length > charactersMax ? `${plain}…` : plain;
}
