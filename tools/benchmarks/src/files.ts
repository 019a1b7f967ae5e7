/** Generates the files and pages that the benchmark scenarios serve. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sizes = { '1k': 1024, '100k': 102_400, '1m': 1_048_576, '10m': 10_485_760, '64m': 67_108_864 };

/** Creates the files for the scenarios in a temporary directory. */
export function makeFiles(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-files-'));
  // Make the directory readable for servers that drop root privileges.
  chmodSync(folder, 0o755);
  for (const [name, size] of Object.entries(sizes)) writeFileSync(join(folder, `${name}.txt`), 'x'.repeat(size));
  writeFileSync(join(folder, 'page.html'), pageOf(20_480));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Generates an HTML page with about as much repetition as real pages have. */
export function pageOf(size: number): string {
  const words = 'route server change upstream tenant certificate response module listener worker header value'.split(
    ' ',
  );
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  let page = '<!doctype html>\n<title>Page</title>\n';
  while (page.length < size) {
    const text = Array.from(
      { length: 12 },
      () => `${words[next() % words.length]}${next() % 3 === 0 ? next() % 1000 : ''}`,
    );
    page += `<p class="c${next() % 20}"><a href="/${text[0]}/${next() % 500}">${text.join(' ')}</a></p>\n`;
  }
  return page.slice(0, size);
}
