/** Writes tar archives. */
import { blockSize, encodeHeader, isPlainName, type TarHeader } from './tar-header.ts';

export interface TarFile {
  readonly name: string;
  /** Seconds since the Unix epoch. */
  readonly modified: number;
  readonly content: Buffer;
}

/** Returns the blocks of a file, preceded by a pax header if the name requires one. */
export function tarFile({ name, modified, content }: TarFile): Buffer {
  const header = (type: string, size: number): TarHeader => ({ name, size, modified, type });
  const plain = [encodeHeader(header('0', content.length)), padded(content)];
  if (isPlainName(name)) return Buffer.concat(plain);
  const record = paxRecord('path', name);
  return Buffer.concat([encodeHeader(header('x', record.length)), padded(record), ...plain]);
}

/** The end marker of an archive. */
export const tarEnd = Buffer.alloc(2 * blockSize);

/** Formats `<length> path=<name>\n`, where the length includes its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function padded(content: Buffer): Buffer {
  const missing = (blockSize - (content.length % blockSize)) % blockSize;
  return Buffer.concat([content, Buffer.alloc(missing)]);
}
