import { deflateSync, inflateSync } from "node:zlib";
import { chunksOf, pngOf } from "./png-chunks";

const COLOURS = 16;
/** From black to white, as the sum of squares. */
const FARTHEST = 3 * 255 ** 2;

/**
 * The same picture with at most 16 colours, at about a third of the bytes: pages are flat, and what is
 * kept in the repository is kept for ever. Takes what Chromium writes: 8 bits, RGB or RGBA, not
 * interlaced. Throws for anything else.
 */
export function smallPng(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  if (header === undefined) throw new Error("a PNG without a header");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = new Map([
    [2, 3],
    [6, 4],
  ]).get(header.readUInt8(9));
  if (channels === undefined || header.readUInt8(8) !== 8 || header.readUInt8(12) !== 0) {
    throw new Error("a PNG of another kind");
  }
  const data = chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data);
  const rows = unfiltered(inflateSync(Buffer.concat(data)), { width, height, channels });
  const { palette, indexed } = inFewColours(rows, { width, height, channels });

  const newHeader = Buffer.from(header);
  newHeader.writeUInt8(4, 8);
  newHeader.writeUInt8(3, 9);
  return pngOf([
    { type: "IHDR", data: newHeader },
    { type: "PLTE", data: palette },
    { type: "IDAT", data: deflateSync(indexed, { level: 9 }) },
    { type: "IEND", data: Buffer.alloc(0) },
  ]);
}

type Size = { readonly width: number; readonly height: number; readonly channels: number };

/** Each line says how it was predicted from its neighbours (PNG, section 9). */
function unfiltered(data: Buffer, { width, height, channels }: Size): Buffer {
  const length = width * channels;
  const rows = Buffer.alloc(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data.readUInt8(y * (length + 1));
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < channels ? 0 : rows.readUInt8(at - channels);
      const up = y === 0 ? 0 : rows.readUInt8(at - length);
      const corner = x < channels || y === 0 ? 0 : rows.readUInt8(at - length - channels);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      rows.writeUInt8((data.readUInt8(y * (length + 1) + 1 + x) + predicted) & 255, at);
    }
  }
  return rows;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp] = [Math.abs(up - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Two pixels in a byte; every colour is the nearest of the few. */
function inFewColours(rows: Buffer, { width, height, channels }: Size) {
  const counts = new Map<number, number>();
  for (let at = 0; at < rows.length; at += channels) {
    const colour = rows.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const chosen = fewOf(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, chosen)]));
  const length = 1 + Math.ceil(width / 2);
  const indexed = Buffer.alloc(height * length);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const place = places.get(rows.readUIntBE(pixel * channels, 3)) ?? 0;
    const at = y * length + 1 + (x >> 1);
    indexed.writeUInt8(indexed.readUInt8(at) | (x % 2 === 0 ? place << 4 : place), at);
  }
  const palette = Buffer.alloc(chosen.length * 3);
  for (const [place, colour] of chosen.entries()) palette.writeUIntBE(colour, place * 3, 3);
  return { palette, indexed };
}

/** One after the other that which the picture misses most: frequent, and far from those it has. */
function fewOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const missed = new Map([...counts].map(([colour]) => [colour, Number.POSITIVE_INFINITY]));
  const chosen: number[] = [];
  while (chosen.length < COLOURS) {
    const weight = (colour: number) =>
      (counts.get(colour) ?? 0) * Math.min(missed.get(colour) ?? 0, FARTHEST);
    const [next] = [...missed.keys()].sort((one, other) => weight(other) - weight(one));
    if (next === undefined || weight(next) === 0) return chosen;
    chosen.push(next);
    for (const [colour, far] of missed) missed.set(colour, Math.min(far, distance(colour, next)));
  }
  return chosen;
}

function nearest(colour: number, chosen: readonly number[]): number {
  const distances = chosen.map((other) => distance(colour, other));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  const to = channelsOf(other);
  return channelsOf(one).reduce((sum, channel, at) => sum + (channel - (to[at] ?? 0)) ** 2, 0);
}

function channelsOf(colour: number): readonly number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}
