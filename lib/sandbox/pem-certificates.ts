const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** The PEM certificates of a file, one by one, each ending with a line break; the rest is passed over. */
export function certificatesIn(pem: string): readonly string[] {
  return [...pem.matchAll(CERTIFICATE)].map(([block]) => `${block.trimEnd()}\n`);
}
