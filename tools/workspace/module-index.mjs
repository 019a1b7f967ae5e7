/**
 * Generates `src/module-index.ts` of each package in `libs/modules`, which maps module IDs to imports, so that a server loads only the
 * modules in its configuration. It is derived from the modules themselves. `npm test` compares it, `npm run module-index` writes it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readPackages } from './packages.mjs';

/** Marks descriptors created by `defineModule` of `@sluice/registry`. */
const brand = Symbol.for('sluice.module');

/** @typedef {{ namespace: string, name: string, id: string, symbol: string, file: string }} Found */

/** Returns the modules that the files of a package export, sorted by ID. @param {string} folder @returns {Promise<Found[]>} */
async function modulesIn(folder) {
  /** @type {Found[]} */
  const found = [];
  // Generators import this file on Node 20, which lacks this export.
  const { globSync } = await import('node:fs');
  for (const file of globSync('*/**/index.ts', { cwd: folder }).sort()) {
    const exported = await import(pathToFileURL(join(folder, file)).href);
    for (const [symbol, value] of Object.entries(exported)) {
      if (typeof value !== 'object' || value === null || !(brand in value)) continue;
      const { namespace, name, id } = value;
      found.push({ namespace, name, id, symbol, file: file.replaceAll('\\', '/') });
    }
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the index as a file, formatted like the formatter does. @param {readonly Found[]} found */
export function indexOf(found) {
  const namespaces = [...new Set(found.map(({ namespace }) => namespace))];
  const indent = namespaces.length > 1 ? '    ' : '  ';
  const lists = namespaces.map((namespace) => {
    const entries = found.filter((each) => each.namespace === namespace).map((each) => entryOf(each, indent));
    return `listed('${namespace}', {\n${entries.join('\n')}\n${indent.slice(2)}})`;
  });
  const several = `[${lists.map((each) => `\n  ...${each},`).join('')}${lists.length === 0 ? '' : '\n'}]`;
  return [
    '/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */',
    lists.length === 0
      ? "import type { ListedModule } from '@sluice/registry';"
      : "import { listed, type ListedModule } from '@sluice/registry';",
    '',
    '/** Sorted by ID. */',
    `export const modules: readonly ListedModule[] = ${lists.length === 1 ? lists[0] : several};`,
    '',
  ].join('\n');
}

/** @param {Found} module @param {string} indent */
function entryOf({ name, symbol, file }, indent) {
  const key = /^[a-z_]\w*$/i.test(name) ? name : `'${name}'`;
  const line = `${indent}${key}: async () => (await import('./${file}')).${symbol},`;
  return line.length <= 120 ? line : line.replace('=> (', `=>\n${indent}  (`);
}

const entry = /listed\('([^']*)', \{|'?(\w[\w-]*)'?: async \(\) =>\s+\(await import\('\.\/([^']*)'\)\)\.(\w+),/g;

/** Adds a module to an index, which may be empty. @param {string} text @param {Found} module */
export function withModule(text, module) {
  /** @type {Found[]} */
  const found = [];
  let namespace = '';
  for (const [, opened, name = '', file = '', symbol = ''] of text.matchAll(entry)) {
    if (opened !== undefined) namespace = opened;
    else found.push({ namespace, name, id: namespace === '' ? name : `${namespace}.${name}`, file, symbol });
  }
  const others = found.filter(({ id }) => id !== module.id);
  return indexOf([...others, module].sort((a, b) => (a.id < b.id ? -1 : 1)));
}

/** Returns packages with outdated indexes. Writes the indexes if requested. @param {boolean} write @returns {Promise<string[]>} */
export async function staleIndexes(write) {
  const stale = [];
  for (const { path, folder, layer } of readPackages()) {
    if (layer !== 'modules') continue;
    const file = join(folder, 'src', 'module-index.ts');
    const wanted = indexOf(await modulesIn(join(folder, 'src')));
    if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
    if (write) writeFileSync(file, wanted);
    stale.push(`${path}/src/module-index.ts`);
  }
  return stale;
}

async function main() {
  const write = process.argv.includes('--write');
  const stale = await staleIndexes(write);
  for (const file of stale) console.log(write ? `written: ${file}` : `${file} is outdated: run npm run module-index`);
  if (!write && stale.length > 0) process.exitCode = 1;
}

// nx loads generators, which import this file, with require(), so there must be no top-level await.
if (process.argv[1] === fileURLToPath(import.meta.url)) void main();
