/** Writes the documentation site to a directory. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { navigationOf, readDocuments } from './documents.ts';
import { pageOf } from './layout.ts';
import { render } from './markdown.ts';

/** Maximum number of characters per section in the search index. */
const maxLength = 400;

export interface Written {
  readonly pages: number;
  readonly sections: number;
}

/** Writes all pages of a workspace's documentation. Empties the output directory first. */
export function buildSite(root: string, folder: string): Written {
  const documents = readDocuments(root);
  const navigation = navigationOf(documents);
  rmSync(folder, { recursive: true, force: true });
  const entries: (readonly [page: string, title: string, anchor: string, heading: string, text: string])[] = [];
  for (const document of documents.values()) {
    const rendered = render(document, documents);
    write(join(folder, document.page), pageOf(document, rendered, navigation));
    for (const file of rendered.files) copy(join(root, file), join(folder, file));
    for (const { anchor, text, content, level } of rendered.sections)
      entries.push([
        document.page,
        document.title,
        level === 1 ? '' : anchor,
        text,
        content.trim().slice(0, maxLength),
      ]);
  }
  cpSync(fileURLToPath(new URL('assets', import.meta.url)), join(folder, 'assets'), { recursive: true });
  // The index is a script and not JSON, because pages opened from the file system can load only scripts.
  write(join(folder, 'assets/index.js'), `globalThis.searchIndex = ${JSON.stringify(entries)};\n`);
  return { pages: documents.size, sections: entries.length };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
