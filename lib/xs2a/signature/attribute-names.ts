/** Attribute types by the names that tools print them with; the one we print comes first. */
const TYPES = new Map<string, string>(
  Object.entries({
    CN: "2.5.4.3",
    commonName: "2.5.4.3",
    surname: "2.5.4.4",
    serialNumber: "2.5.4.5",
    C: "2.5.4.6",
    countryName: "2.5.4.6",
    L: "2.5.4.7",
    localityName: "2.5.4.7",
    ST: "2.5.4.8",
    S: "2.5.4.8",
    stateOrProvinceName: "2.5.4.8",
    street: "2.5.4.9",
    streetAddress: "2.5.4.9",
    O: "2.5.4.10",
    organizationName: "2.5.4.10",
    OU: "2.5.4.11",
    organizationalUnitName: "2.5.4.11",
    title: "2.5.4.12",
    T: "2.5.4.12",
    description: "2.5.4.13",
    businessCategory: "2.5.4.15",
    postalCode: "2.5.4.17",
    givenName: "2.5.4.42",
    GN: "2.5.4.42",
    dnQualifier: "2.5.4.46",
    pseudonym: "2.5.4.65",
    organizationIdentifier: "2.5.4.97",
    emailAddress: "1.2.840.113549.1.9.1",
    E: "1.2.840.113549.1.9.1",
    email: "1.2.840.113549.1.9.1",
    DC: "0.9.2342.19200300.100.1.25",
    domainComponent: "0.9.2342.19200300.100.1.25",
    UID: "0.9.2342.19200300.100.1.1",
  }),
);
const BY_NAME = new Map([...TYPES].map(([name, type]) => [name.toLowerCase(), type]));

/** The object identifier of a type by any of its names, or written out, with or without `OID.`. */
export function typeNamed(name: string): string | undefined {
  const written = /^(?:OID\.)?(\d[\d.]*)$/i.exec(name)?.[1];
  return written ?? BY_NAME.get(name.toLowerCase());
}

/** The name that a type is printed with; its object identifier where nobody has a name for it. */
export function nameOfType(type: string): string {
  const [name] = [...TYPES].find(([, known]) => known === type) ?? [];
  return name ?? type;
}
