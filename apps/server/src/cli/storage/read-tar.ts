/** Reads tar archives created by Sluice, by the reference and by `tar`. */
import { blockSize, decodeHeader, type TarHeader } from './tar-header.ts';
import type { TarFile } from './write-tar.ts';

/** Returns the files of an archive, without directories. Throws if it is truncated or damaged. */
export function readTar(archive: Buffer): TarFile[] {
  const files: TarFile[] = [];
  let name: string | null = null;
  let at = 0;
  for (;;) {
    if (at + blockSize > archive.length) throw new Error('unexpected end of archive');
    const header = decodeHeader(Buffer.from(archive.subarray(at, at + blockSize)));
    if (header === null) return files;
    const content = contentOf(archive, header, at + blockSize);
    at += blockSize + Math.ceil(content.length / blockSize) * blockSize;
    const { type, modified } = header;
    if (type === 'x') name = paxName(content) ?? name;
    else if (type === 'L') name = content.toString().replace(/\0.*$/s, '');
    else {
      if (type === '0' || type === '7') files.push({ name: name ?? header.name, modified, content });
      else if (type !== '5' && type !== 'g')
        throw new Error(`${JSON.stringify(name ?? header.name)} is neither a file nor a directory`);
      name = null;
    }
  }
}

function contentOf(archive: Buffer, { size, name, type }: TarHeader, start: number): Buffer {
  const length = type === '5' ? 0 : size;
  if (!Number.isSafeInteger(length) || length < 0) throw new Error(`the size of ${JSON.stringify(name)} is corrupt`);
  if (start + length > archive.length) throw new Error('unexpected end of archive');
  return archive.subarray(start, start + length);
}

/** Returns the name that a pax header specifies for the next file. */
function paxName(records: Buffer): string | null {
  let found: string | null = null;
  for (let at = 0; at < records.length;) {
    const length = Number.parseInt(records.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) throw new Error('corrupt pax header');
    const [, key, value] = /^\d+ ([^=]*)=(.*)\n$/s.exec(records.toString('utf8', at, at + length)) ?? [];
    if (key === 'path' && value !== undefined) found = value;
    at += length;
  }
  return found;
}
