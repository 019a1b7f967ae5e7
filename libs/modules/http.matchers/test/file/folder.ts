/** Creates a temporary directory with files. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Creates a directory with the given files. A name with a trailing slash is a directory, and content that begins with `->` is a symbolic
 * link.
 */
export function makeFolder(files: Readonly<Record<string, string>>): { readonly root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'sluice-file-'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (name.endsWith('/')) continue;
    if (content.startsWith('->')) symlinkSync(content.slice(2), path);
    else writeFileSync(path, content);
  }
  return { root, remove: () => rmSync(root, { recursive: true }) };
}

/** Sets the modification time of a file, in seconds since the Unix epoch. */
export function touch(root: string, name: string, time: number): void {
  utimesSync(join(root, name), time, time);
}
