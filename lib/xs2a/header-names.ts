const CAPITALS = new Set(["tpp", "psu", "uri", "id", "ip"]);

const SPELLED: Readonly<Record<string, string>> = { nofunds: "NoFunds" };

/** `tpp-nok-redirect-uri` as the standard writes it: `TPP-Nok-Redirect-URI`. */
export function headerName(lowerCase: string): string {
  return lowerCase
    .split("-")
    .map((word) => SPELLED[word] ?? capitalised(word))
    .join("-");
}

function capitalised(word: string): string {
  return CAPITALS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
}
