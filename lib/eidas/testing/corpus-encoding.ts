import { objectId, sequence } from "@/lib/sandbox/der";
import { type CorpusCertificate, extension, invalid, qwac, unreadable } from "./corpus-row";
import { qcExtension } from "./issuing";
import { nodeKey, resigned } from "./resigned";

const unusableSerial = invalid(
  "certificate has an unusable serial number: a positive one of at most 20 octets is needed",
);
const statement = Buffer.concat([sequence(), Buffer.of(5, 0)]);
// Policies are read for their identifiers alone: only the limits stand against these two.
const deep = sequence(sequence(objectId("1.2.3"), nested(30)));
const wide = sequence(...Array<Uint8Array>(1_500).fill(sequence(objectId("1.2.3"))));

/** Each signed by the believed CA: an issuer can err, and a parser is attacked from inside. */
export const oddlyEncoded: readonly CorpusCertificate[] = [
  qwac(
    "C10: 2000 values one within another",
    { extensions: qcExtension(nested(2_000)) },
    unreadable,
  ),
  qwac("C10: a policy nested 30 deep", { extensions: policies(deep) }, unreadable),
  qwac("C10: 1500 policies", { extensions: policies(wide) }, unreadable),
  qwac(
    "C10: octets after an extension's value",
    { extensions: qcExtension(statement) },
    unreadable,
  ),
  qwac("C10: an extension that is no DER", { extensions: policies(Buffer.of(0xff)) }, unreadable),
  qwac(
    "C8: a critical extension that is not understood",
    { extensions: { other: extension("1.2.3.4", true, "0500") } },
    invalid("certificate has a critical extension not understood: 1.2.3.4"),
  ),
  qwac(
    "C8: an extension twice",
    { extensions: { again: extension("1.3.6.1.5.5.7.1.3", false, "3000") } },
    invalid("certificate has the extension 1.3.6.1.5.5.7.1.3 twice"),
  ),
  rewritten("version 1", { 0: "a003020100" }, invalid("certificate is not of version 3")),
  rewritten("serial number 0", { 1: "020100" }, unusableSerial),
  rewritten("serial number -1", { 1: "0201ff" }, unusableSerial),
  rewritten("a serial number of 22 octets", { 1: `021601${"00".repeat(21)}` }, unusableSerial),
  rewritten("a 29th of February", { 4: validity("270101000000Z", "270229000000Z") }, unreadable),
  rewritten("a time zone", { 4: validity("270101000000+0000", "280101000000Z") }, unreadable),
  rewritten("a key of an unknown algorithm", { 6: "300b300506032a0304030200ff" }, unreadable),
];

/** A good QWAC with parts of its content written anew, by their place, and signed again. */
function rewritten(
  what: string,
  parts: Readonly<Record<number, string>>,
  verdict: CorpusCertificate["verdict"],
): CorpusCertificate {
  const replaced = Object.fromEntries(
    Object.entries(parts).map(([index, hex]) => [index, Buffer.from(hex, "hex")]),
  );
  return {
    name: `C10: ${what}`,
    as: "QWAC",
    make: async ({ authority, qwac: issue }) =>
      resigned(await issue(), await nodeKey(authority.keys), replaced),
    verdict,
  };
}

function policies(content: Uint8Array) {
  const hex = Buffer.from(content).toString("hex");
  return { certificatePolicies: extension("2.5.29.32", false, hex) };
}

function nested(depth: number): Uint8Array {
  let value = sequence();
  for (let level = 1; level < depth; level += 1) value = sequence(value);
  return value;
}

function validity(...times: readonly string[]): string {
  const written = times.map((time) =>
    Buffer.concat([Buffer.of(0x17, time.length), Buffer.from(time)]),
  );
  return Buffer.from(sequence(...written)).toString("hex");
}
