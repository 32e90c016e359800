/**
 * What a header says, written apart from the code that reads it: two texts of one meaning differ
 * only in what nobody is bound by, such as blanks, the case of a name and the order of its parts.
 */
export type SignedHeader = "signature" | "digest" | "tpp-signature-certificate";

export function meaningOf(header: SignedHeader, value: string): string {
  const text = value.trim();
  if (header === "digest") return text;
  if (header === "tpp-signature-certificate") return bytesOf(text);
  return signatureMeaning(text);
}

/** Every parameter by its name; whatever stands between them, but for one comma, is part of it. */
function signatureMeaning(text: string): string {
  const parameter = /([a-z]+)\s*=\s*"([^"]*)"/gi;
  const found = [...text.matchAll(parameter)].map(([, name = "", value = ""]) =>
    name === "keyId" ? `keyId ${keyIdMeaning(value)}` : `${name} ${valueMeaning(name, value)}`,
  );
  const rest = text.replace(parameter, "").replace(/\s/g, "").replace(/,$/, "");
  return [...found.sort(), rest].join("\n");
}

function valueMeaning(name: string, value: string): string {
  if (name === "signature") return bytesOf(value);
  return name === "algorithm" || name === "headers" ? value.toLowerCase() : value;
}

/** The number, and the attributes of the name in an order of their own. */
function keyIdMeaning(value: string): string {
  const [, serial = "none", issuer = "none"] =
    /^\s*sn\s*=([^,]*),\s*ca\s*=(.*)$/is.exec(value) ?? [];
  const number = serial.trim().toLowerCase().replace(/^0x/, "").replaceAll(":", "");
  const attributes = issuer.split(/[,+](?=\s*[a-z]+\s*=)/i).map(attributeMeaning);
  return [number.replace(/^0+/, ""), ...attributes.sort()].join("|");
}

function attributeMeaning(attribute: string): string {
  return decoded(attribute)
    .replace(/\\([^0-9a-f]|.(?![0-9a-f]))/gi, "$1")
    .replace(/\s*=\s*/, "=")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Letters that are no base64, and bits beyond the last octet, are left aside: the octets count. */
function bytesOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}
