import { XMLParser } from "fast-xml-parser";
import type { QualifiedType } from "../qualified-type";
import { ListFault } from "./list-fault";

/** An issuer that its state has granted the status, and what it is granted for. */
export type GrantedService = {
  /** DER in base64. */
  readonly certificates: readonly string[];
  readonly issues: readonly QualifiedType[];
};

export type ListContent = {
  readonly nextUpdate: string;
  readonly services: readonly GrantedService[];
};

const QUALIFIED_ISSUER = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const GRANTED = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const purposes: Readonly<Record<string, QualifiedType>> = {
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication": "web",
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals": "eseal",
};

/** Names without their prefixes: the content is canonical and its root's namespace has been looked at. */
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: false,
  isArray: () => true,
});

/** ETSI TS 119 612 5.3 to 5.6, as far as issuers of certificates go. Throws a ListFault. */
export function readServices(content: string): ListContent {
  const [list] = children(parser.parse(content), "TrustServiceStatusList");
  if (list === undefined) throw new ListFault("is no trusted list");
  const [scheme] = children(list, "SchemeInformation");
  const [nextUpdate] = children(scheme, "NextUpdate").flatMap((part) => texts(part, "dateTime"));
  if (nextUpdate === undefined) throw new ListFault("is closed: it names no next update");
  const services = children(list, "TrustServiceProviderList")
    .flatMap((part) => children(part, "TrustServiceProvider"))
    .flatMap((part) => children(part, "TSPServices"))
    .flatMap((part) => children(part, "TSPService"))
    .flatMap((part) => children(part, "ServiceInformation"));
  return { nextUpdate, services: services.filter(isGrantedIssuer).map(toService) };
}

function isGrantedIssuer(service: unknown): boolean {
  const [type] = texts(service, "ServiceTypeIdentifier");
  const [status] = texts(service, "ServiceStatus");
  return type === QUALIFIED_ISSUER && status === GRANTED;
}

function toService(service: unknown): GrantedService {
  const named = children(service, "ServiceInformationExtensions")
    .flatMap((part) => children(part, "Extension"))
    .flatMap((part) => children(part, "AdditionalServiceInformation"))
    .flatMap((part) => texts(part, "URI"));
  return {
    certificates: children(service, "ServiceDigitalIdentity")
      .flatMap((part) => children(part, "DigitalId"))
      .flatMap((part) => texts(part, "X509Certificate")),
    issues: [...new Set(named.flatMap((uri) => purposes[uri] ?? []))],
  };
}

function children(node: unknown, name: string): readonly unknown[] {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return [];
  const found: unknown = Object.entries(node).find(([key]) => key === name)?.[1];
  return Array.isArray(found) ? found : [];
}

/** The texts of the elements of this name; an element with attributes keeps its text apart. */
function texts(node: unknown, name: string): readonly string[] {
  return children(node, name).flatMap((part) => (typeof part === "string" ? [part.trim()] : []));
}
