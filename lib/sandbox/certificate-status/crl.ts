import {
  Constructed,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  UTCTime,
} from "asn1js";
import { after } from "@/lib/domain/clock";
import type { Revoked } from "./revoked-file";
import { algorithm, inSeconds, type Signer, signed, subjectOf } from "./signing";

const CRL_NUMBER = "2.5.29.20";
export const STATUS_HOURS = 1;

/** RFC 5280 5.1: all that the CA has revoked. */
export function crl(signer: Signer, revoked: readonly Revoked[], now: Date): Uint8Array {
  const entries = revoked.map(
    ({ serialNumber, at }) => new Sequence({ value: [Integer.fromBigInt(serialNumber), time(at)] }),
  );
  const content = new Sequence({
    value: [
      new Integer({ value: 1 }),
      algorithm(),
      subjectOf(signer),
      time(now),
      time(after(now, STATUS_HOURS, "hour")),
      // An empty list is left out, as the RFC wants it.
      ...(entries.length > 0 ? [new Sequence({ value: entries })] : []),
      new Constructed({
        idBlock: { tagClass: 3, tagNumber: 0 },
        value: [new Sequence({ value: [crlNumber(now)] })],
      }),
    ],
  });
  return new Uint8Array(signed(content, signer).toBER());
}

/** RFC 5280 5.1.2.4: four digits of the year from 2050 on, where the sandbox's clock can be moved to. */
function time(instant: Date): UTCTime {
  const valueDate = inSeconds(instant);
  return valueDate.getUTCFullYear() < 2050
    ? new UTCTime({ valueDate })
    : new GeneralizedTime({ valueDate });
}

/** It has to grow with each list; the seconds of the epoch do. */
function crlNumber(now: Date): Sequence {
  const number = Integer.fromBigInt(BigInt(Math.floor(now.getTime() / 1_000)));
  return new Sequence({
    value: [
      new ObjectIdentifier({ value: CRL_NUMBER }),
      new OctetString({ valueHex: new Uint8Array(number.toBER()) }),
    ],
  });
}
