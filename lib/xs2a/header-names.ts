const CAPITALS = new Set(["tpp", "psu", "uri", "id", "ip"]);

/** `tpp-nok-redirect-uri` as the standard writes it: `TPP-Nok-Redirect-URI`. */
export function headerName(lowerCase: string): string {
  return lowerCase
    .split("-")
    .map((word) =>
      CAPITALS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join("-");
}
