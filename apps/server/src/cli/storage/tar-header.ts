/** Headers of tar archives (POSIX.1-2017, pax and ustar): a 512-byte block before each file. */

/** Files are padded to this block size. */
export const blockSize = 512;

export interface TarHeader {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Seconds since the Unix epoch. */
  readonly modified: number;
  /** `0` for a file, `5` for a directory, `x` for a pax header of the next file, … */
  readonly type: string;
}

/** Offset and length of each field. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const satisfies Readonly<Record<string, readonly [start: number, length: number]>>;

type Field = keyof typeof fields;

/** Reports whether a name fits into a header without a pax header. */
export function isPlainName(name: string): boolean {
  return /^[\x20-\x7E]*$/.test(name) && name.length <= fields.name[1];
}

/** Encodes the header of a file that only its owner can read. Truncates long names. */
export function encodeHeader({ name, size, modified, type }: TarHeader): Buffer {
  const block = Buffer.alloc(blockSize);
  const put = (field: Field, text: string): void => {
    const [start, length] = fields[field];
    block.write(text.slice(0, length), start, length, 'latin1');
  };
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  put('name', name);
  put('mode', octal(0o600, 8));
  put('uid', octal(0, 8));
  put('gid', octal(0, 8));
  put('size', octal(size, 12));
  put('modified', octal(Math.max(0, Math.floor(modified)), 12));
  put('type', type);
  put('magic', 'ustar\x0000');
  put('checksum', ' '.repeat(8));
  put('checksum', `${checksum(block).toString(8).padStart(6, '0')}\0 `);
  return block;
}

/** Decodes a header; `null` for the empty block at the end. Throws if the header is invalid. */
export function decodeHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null;
  const text = (field: Field): string => {
    const [start, length] = fields[field];
    const part = block.subarray(start, start + length);
    const end = part.indexOf(0);
    return part.toString('utf8', 0, end < 0 ? length : end);
  };
  const claimed = Number.parseInt(text('checksum').trim(), 8);
  block.fill(' ', fields.checksum[0], fields.checksum[0] + fields.checksum[1]);
  if (claimed !== checksum(block)) throw new Error('not a tar archive, or corrupt');
  const prefix = text('magic').startsWith('ustar') ? text('prefix') : '';
  return {
    name: prefix === '' ? text('name') : `${prefix}/${text('name')}`,
    size: Number.parseInt(text('size').trim() || '0', 8),
    modified: Number.parseInt(text('modified').trim() || '0', 8),
    type: text('type') || '0',
  };
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte) => sum + byte, 0);
}
