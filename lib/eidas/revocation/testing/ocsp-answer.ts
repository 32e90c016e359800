import {
  Boolean as Asn1Boolean,
  type BaseBlock,
  Constructed,
  Enumerated,
  GeneralizedTime,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
} from "asn1js";
import { after } from "@/lib/domain/clock";
import {
  inSeconds,
  type Signer,
  signed,
  subjectOf,
} from "@/lib/sandbox/certificate-status/signing";
import { certificateId } from "../certificate-id";
import type { Issued } from "../status";

export type Answer = {
  readonly issued: Issued;
  readonly status?: BaseBlock;
  readonly thisUpdate?: BaseBlock;
  readonly nextUpdate?: Date;
  readonly extensions?: BaseBlock;
};

type Response = {
  readonly answers: readonly Answer[];
  readonly now: Date;
  readonly extensions?: BaseBlock;
  readonly certificates?: readonly BaseBlock[];
  readonly type?: string;
};

/** A response as an issuer would sign it that writes odd things: good for an hour unless told otherwise. */
export function ocspAnswer(signer: Signer, response: Response): Uint8Array {
  const { answers, now, extensions, certificates, type = "1.3.6.1.5.5.7.48.1.1" } = response;
  const content = new Sequence({
    value: [
      tagged(1, [subjectOf(signer)]),
      time(now),
      new Sequence({ value: answers.map((answer) => single(answer, now)) }),
      ...(extensions === undefined ? [] : [tagged(1, [extensions])]),
    ],
  });
  const basic = signed(content, signer);
  if (certificates !== undefined) {
    basic.valueBlock.value.push(tagged(0, [new Sequence({ value: [...certificates] })]));
  }
  const octets = new OctetString({ valueHex: basic.toBER() });
  const bytes = new Sequence({ value: [new ObjectIdentifier({ value: type }), octets] });
  return whole(0, tagged(0, [bytes]));
}

/** Only that it did not succeed. */
export function ocspFailure(status: number): Uint8Array {
  return whole(status);
}

export const revokedStatus = (at: Date): BaseBlock => tagged(1, [time(at)]);
export const time = (instant: Date): BaseBlock =>
  new GeneralizedTime({ valueDate: inSeconds(instant) });

export function extensions(id: string, critical: boolean): BaseBlock {
  const flag = critical ? [new Asn1Boolean({ value: true })] : [];
  const content = new OctetString({ valueHex: Uint8Array.of(5, 0) });
  const extension = [new ObjectIdentifier({ value: id }), ...flag, content];
  return new Sequence({ value: [new Sequence({ value: extension })] });
}

export function tagged(tagNumber: number, value: BaseBlock[]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
}

function single(answer: Answer, now: Date): Sequence {
  const good = new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 } });
  const { issued, status = good, thisUpdate = time(now), extensions } = answer;
  const { nextUpdate = after(now, 1, "hour") } = answer;
  return new Sequence({
    value: [
      certificateId(issued),
      status,
      thisUpdate,
      tagged(0, [time(nextUpdate)]),
      ...(extensions === undefined ? [] : [tagged(1, [extensions])]),
    ],
  });
}

function whole(status: number, ...rest: BaseBlock[]): Uint8Array {
  return new Uint8Array(
    new Sequence({ value: [new Enumerated({ value: status }), ...rest] }).toBER(),
  );
}

export function unknownStatus(): BaseBlock {
  return new Primitive({ idBlock: { tagClass: 3, tagNumber: 2 } });
}
