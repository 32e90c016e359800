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
} as const;
