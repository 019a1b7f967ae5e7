/** Writes tar archives. */
import { blockSize, encodeHeader, isPlainName, type TarHeader } from './tar-header.ts';

/** A file of an archive. */
export interface TarFile {
  readonly name: string;
  /** Seconds since 1970. */
  readonly modified: number;
  readonly content: Buffer;
}

/** The blocks of a file, with a pax header before it if its name needs one. */
export function tarFile({ name, modified, content }: TarFile): Buffer {
  const header = (type: string, size: number): TarHeader => ({ name, size, modified, type });
  const plain = [encodeHeader(header('0', content.length)), padded(content)];
  if (isPlainName(name)) return Buffer.concat(plain);
  const record = paxRecord('path', name);
  return Buffer.concat([encodeHeader(header('x', record.length)), padded(record), ...plain]);
}

/** The end of an archive. */
export const tarEnd = Buffer.alloc(2 * blockSize);

/** `<length> path=<name>\n`, where the length counts its own digits. */
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
