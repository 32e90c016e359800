import { crc32 } from "./crc32";

export type Chunk = { readonly type: string; readonly data: Buffer };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before the data, the checksum after it. */
const FRAME = 12;

/** The parts of a PNG in their order; checksums are taken as read. */
export function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += FRAME + length;
  }
  return chunks;
}

export function pngOf(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks.map(framed)]);
}

function framed({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
