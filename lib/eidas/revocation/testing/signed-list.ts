import {
  type BaseBlock,
  Enumerated,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  UTCTime,
} from "asn1js";
import { after } from "@/lib/domain/clock";
import {
  algorithm,
  type Signer,
  signed,
  subjectOf,
} from "@/lib/sandbox/certificate-status/signing";
import { tagged } from "./ocsp-answer";

export type ListEntry = {
  readonly serialNumber: bigint;
  /** RFC 5280 5.3.1, e.g. 6 for certificateHold. */
  readonly reason?: number;
  readonly extensions?: BaseBlock;
};

type List = {
  readonly now: Date;
  readonly entries?: readonly ListEntry[];
  readonly name?: BaseBlock;
  /** For an hour when not given; null leaves the end out. */
  readonly nextUpdate?: Date | null;
  readonly extensions?: BaseBlock;
  /** What comes after all of it. */
  readonly more?: readonly BaseBlock[];
};

/** A list as an issuer would sign it that writes odd things. */
export function signedList(signer: Signer, list: List): Uint8Array {
  const { now, entries = [], name = subjectOf(signer), extensions, more = [] } = list;
  const { nextUpdate = after(now, 1, "hour") } = list;
  const parts = [
    new Integer({ value: 1 }),
    algorithm(),
    name,
    new UTCTime({ valueDate: now }),
    ...(nextUpdate === null ? [] : [new UTCTime({ valueDate: nextUpdate })]),
    ...(entries.length === 0
      ? []
      : [new Sequence({ value: entries.map((one) => entry(one, now)) })]),
    ...(extensions === undefined ? [] : [tagged(0, [extensions])]),
    ...more,
  ];
  return new Uint8Array(signed(new Sequence({ value: parts }), signer).toBER());
}

function entry({ serialNumber, reason, extensions: given }: ListEntry, now: Date): Sequence {
  const said = reason === undefined ? given : reasonCode(reason);
  return new Sequence({
    value: [
      Integer.fromBigInt(serialNumber),
      new UTCTime({ valueDate: now }),
      ...(said === undefined ? [] : [said]),
    ],
  });
}

function reasonCode(reason: number): Sequence {
  const content = new OctetString({ valueHex: new Enumerated({ value: reason }).toBER() });
  const extension = [new ObjectIdentifier({ value: "2.5.29.21" }), content];
  return new Sequence({ value: [new Sequence({ value: extension })] });
}
