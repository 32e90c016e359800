const POLYNOMIAL = 0xedb88320;

/** The checksum of PNG and gzip; zlib's own came with a later Node than the oldest we run on. */
export function crc32(data: Buffer): number {
  let rest = 0xffffffff;
  for (const byte of data) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
    }
  }
  return (rest ^ 0xffffffff) >>> 0;
}
