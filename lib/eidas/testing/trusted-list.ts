import { SignedXml } from "xml-crypto";

const STATUS = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus";
const FOR = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt";

/** One issuer as a list names it; the short names stand for the URIs that end so. */
export type ListedService = {
  readonly certificate: Uint8Array;
  readonly type?: string;
  readonly status?: string;
  readonly purposes?: readonly string[];
};

type Listed = {
  readonly services: readonly ListedService[];
  readonly nextUpdate?: string;
  readonly namespace?: string;
};

/** A trusted list as a scheme's operator publishes it, not yet signed. */
export function listXml({
  services,
  nextUpdate = "2027-06-01T00:00:00Z",
  namespace = "http://uri.etsi.org/02231/v2#",
}: Listed): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="${namespace}" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag">
  <SchemeInformation>
    <TSLVersionIdentifier>5</TSLVersionIdentifier>
    <ListIssueDateTime>2027-02-01T00:00:00Z</ListIssueDateTime>
    <NextUpdate>${nextUpdate && `<dateTime>${nextUpdate}</dateTime>`}</NextUpdate>
  </SchemeInformation>
  <TrustServiceProviderList><TrustServiceProvider><TSPServices>
    ${services.map(serviceXml).join("\n    ")}
  </TSPServices></TrustServiceProvider></TrustServiceProviderList>
</TrustServiceStatusList>`;
}

function serviceXml({
  certificate,
  type = "CA/QC",
  status = "granted",
  purposes = ["ForWebSiteAuthentication", "ForeSeals"],
}: ListedService): string {
  const base64 = Buffer.from(certificate).toString("base64");
  const extensions = purposes.map(
    (purpose) => `<Extension Critical="true"><AdditionalServiceInformation>
      <URI xml:lang="en">${FOR}/${purpose}</URI></AdditionalServiceInformation></Extension>`,
  );
  return `<TSPService><ServiceInformation>
      <ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier>
      <ServiceDigitalIdentity><DigitalId><X509Certificate>${base64}</X509Certificate></DigitalId></ServiceDigitalIdentity>
      <ServiceStatus>${STATUS}/${status}</ServiceStatus>
      <ServiceInformationExtensions>${extensions.join("")}</ServiceInformationExtensions>
    </ServiceInformation></TSPService>`;
}

type Hash = "sha1" | "sha256";

type Signing = {
  readonly key: string;
  /** What is signed, each by a reference of its own: the whole list when not given. */
  readonly xpaths?: readonly string[];
  readonly hash?: Hash | "hmac" | "pss";
  readonly digest?: Hash;
  /** PEM: whose certificate goes along with the signature. */
  readonly certificatePem?: string;
};

const signatureAlgorithms = {
  sha1: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
  sha256: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  pss: "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
  hmac: "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
} as const;
const digestAlgorithms = {
  sha1: "http://www.w3.org/2000/09/xmldsig#sha1",
  sha256: "http://www.w3.org/2001/04/xmlenc#sha256",
} as const;

/** Enveloped in the root, as TS 119 612 wants it. */
export function signedList(xml: string, signing: Signing): string {
  const { key, xpaths = ["/*"], hash = "sha256", digest = "sha256", certificatePem } = signing;
  const signed = new SignedXml({
    privateKey: key,
    ...(certificatePem !== undefined && { publicCert: certificatePem }),
    canonicalizationAlgorithm: "http://www.w3.org/2001/10/xml-exc-c14n#",
    signatureAlgorithm: signatureAlgorithms[hash],
  });
  if (hash === "hmac") signed.enableHMAC();
  for (const xpath of xpaths) {
    signed.addReference({
      xpath,
      ...(xpath === "/*" && { uri: "", isEmptyUri: true }),
      digestAlgorithm: digestAlgorithms[digest],
      transforms: [
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
        "http://www.w3.org/2001/10/xml-exc-c14n#",
      ],
    });
  }
  signed.computeSignature(xml);
  return signed.getSignedXml();
}
