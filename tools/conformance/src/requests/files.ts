/** Files served by both servers from the same directory, with fixed modification times. */
import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';

const page = '<!DOCTYPE html><title>t</title>';

const texts: Readonly<Record<string, string>> = {
  'a.txt': 'hello world',
  'empty.txt': '',
  'big.txt': '0123456789'.repeat(1000),
  'no-extension': 'bare',
  'page.html': page,
  'UPPER.HTML': page,
  'sp ace.txt': 'space',
  'per%cent.txt': 'percent',
  'q?mark.txt': 'question',
  'hash#.txt': 'hash',
  'uml\u00e4ut.txt': 'umlaut',
  'back\\slash.txt': 'backslash',
  'col:on.txt': 'colon',
  '<tag>&amp;.txt': 'tag',
  '.hidden': 'dot file',
  'secret.key': 'secret',
  'g.js': 'var plain = 1;',
  'g.js.md5': '"from-a-file"\n',
  'only.js.gz': 'not compressed',
  'z.css': 'a{}',
  'index/index.html': `${page}index`,
  'index/other.txt': 'other',
  'text-index/index.txt': 'index of text',
  'plain/b.txt': 'b',
  'plain/C.txt': 'C',
  'plain/a.txt': 'aaa',
  'plain/sub/deep.txt': 'deep',
  'plain/zero.bin': '',
  'page.tmpl': '{{.Host}} {{.Req.Method}}',
};

export function makeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-files-'));
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(folder, 'g.js.gz'), gzipSync('var compressed = "gzip";'));
  writeFileSync(join(folder, 'g.js.zst'), zstdCompressSync('var compressed = "zstd";'));
  writeFileSync(join(folder, 'z.css.gz'), gzipSync('a{color:red}'));
  mkdirSync(join(folder, 'z.css.zst'));
  mkdirSync(join(folder, 'nothing'));
  symlinkSync('a.txt', join(folder, 'link.txt'));
  symlinkSync('plain', join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'plain/broken'));
  symlinkSync('loop', join(folder, 'loop'));
  stamp(folder);
  return folder;
}

export function removeFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Sets a different modification time for each file and directory, so that sorting by time is meaningful. The times do not follow the name
 * order.
 */
function stamp(folder: string): void {
  for (const [index, entry] of readdirSync(folder, { withFileTypes: true }).entries()) {
    const path = join(folder, entry.name);
    const time = 1_600_000_000 + ((index * 7919) % 1009) * 3600;
    if (entry.isDirectory()) stamp(path);
    if (entry.isSymbolicLink()) lutimesSync(path, time, time);
    else utimesSync(path, time, time);
  }
  utimesSync(folder, 1_600_000_000, 1_600_000_000);
}
