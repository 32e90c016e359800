/** What reading a certificate may cost. A qualified certificate is about 2 KiB; no header holds more than 16. */
export const certificateLimits = {
  derBytesMax: 16_384,
  asn1DepthMax: 16,
  asn1NodesMax: 2_000,
  nameCharactersMax: 256,
  serialNumberBytesMax: 20,
  rsaBitsMin: 2_048,
  rsaBitsMax: 8_192,
  cachedCertificatesMax: 1_000,

  /** Of each kind; issuers name one or two. */
  statusAddressesMax: 4,
  statusAddressCharactersMax: 500,
  ocspBytesMax: 16_384,
  responderCertificatesMax: 8,
  /** Lists are long: 20,000 entries are about half of this. */
  crlBytesMax: 2_097_152,
  /** Of so many issuers and addresses; a long list takes some megabytes. */
  cachedListsMax: 20,
  statusClockSkewSeconds: 300,
  /** An issuer's "good" is asked for anew after this time, however long the issuer lets it stand. */
  goodMinutesMax: 10,
  /** And not before, however short. */
  goodSecondsMin: 30,
  /** How long it is left at that when nobody could tell. */
  unknownSeconds: 30,
} as const;
