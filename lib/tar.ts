type TarFile = {
  /** With `/` between folders; 100 bytes at most. */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Of its owner alone where it is secret. */
  readonly mode: 0o600 | 0o644;
};

const BLOCK_BYTES = 512;

/** A tar archive of some small files (POSIX ustar), as `tar -x` and npm read it. */
export function tarOf(files: readonly TarFile[], now: Date): Buffer {
  const entries = files.flatMap(({ name, content, mode }) => {
    const bytes = Buffer.from(content);
    const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
    return [header({ name, mode, size: bytes.length, now }), bytes, padding];
  });
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK_BYTES)]);
}

type Header = Pick<TarFile, "name" | "mode"> & { readonly size: number; readonly now: Date };

function header({ name, mode, size, now }: Header): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive`);
  const block = Buffer.alloc(BLOCK_BYTES);
  const number = (value: number, at: number, digits: number) =>
    block.write(`${value.toString(8).padStart(digits, "0")}\0`, at);
  block.write(name, 0);
  number(mode, 100, 7);
  number(0, 108, 7);
  number(0, 116, 7);
  number(size, 124, 11);
  number(Math.floor(now.getTime() / 1_000), 136, 11);
  // The checksum is of the header with blanks in its place.
  block.write(" ".repeat(8), 148);
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function sumOf(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum + byte, 0);
}
