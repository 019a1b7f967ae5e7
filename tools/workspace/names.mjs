/** Resolves the exported and imported names of files, for the checks of exports and options. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { readJson } from './packages.mjs';

/**
 * Names that a file exports and imports.
 * @typedef {object} Module
 * @property {string[]} exported Names of values that it declares and exports.
 * @property {string[]} types Names of types that it declares and exports.
 * @property {{ from: string, name: string, as: string }[]} handedOn Names that it re-exports; `*` for all.
 * @property {{ from: string, name: string }[]} taken Names that it imports; `*` for all.
 */

/** @param {string} file @param {string} text @returns {Module} */
export function readModule(file, text) {
  const { module } = parseSync(file, text);
  /** @type {Module} */
  const found = { exported: [], types: [], handedOn: [], taken: [] };
  /** @type {Set<string>} Files whose names are imported individually. */
  const named = new Set();
  for (const { moduleRequest, entries } of module.staticImports) {
    named.add(moduleRequest.value);
    for (const { importName } of entries)
      found.taken.push({
        from: moduleRequest.value,
        name: importName.name ?? (String(importName.kind) === 'Default' ? 'default' : '*'),
      });
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (moduleRequest) {
        named.add(moduleRequest.value);
        found.handedOn.push({
          from: moduleRequest.value,
          name: importName.name ?? '*',
          as: exportName.name ?? '*',
        });
      } else if (exportName.name !== null) found[isType ? 'types' : 'exported'].push(exportName.name);
    }
  }
  // The following may use every name of the file: an `import('./a.ts')` (including in types), a `new URL('./a.ts', …)`, or a path in a
  // string.
  const paths = [
    ...text.matchAll(/['"`](\.{1,2}\/[^'"`\s]+\.(?:ts|js|mjs))['"`]/g),
    ...text.matchAll(/['"`](@sluice\/[\w./-]+)['"`]/g),
  ].filter(([, path = '']) => !named.has(path));
  for (const [, path = ''] of [...paths, ...text.matchAll(/import\(['"]([.@][^'"]+)['"]\)/g)])
    found.taken.push({ from: path, name: '*' });
  return found;
}

/** Returns the entry points of a package by import specifier. @param {import('./packages.mjs').Package} from @returns {Map<string, string>} */
export function entriesOf({ folder, manifest }) {
  /** @type {Record<string, string | { '@sluice/source'?: string }>} */
  const { exports = {} } = readJson(join(folder, 'package.json'));
  const found = new Map();
  for (const [key, target] of Object.entries(exports)) {
    const path = typeof target === 'string' ? target : target['@sluice/source'];
    if (path !== undefined && /\.(?:ts|mjs)$/.test(path)) found.set(manifest.name + key.slice(1), join(folder, path));
  }
  return found;
}

/**
 * Resolves an import. Returns `undefined` if the target is outside the workspace.
 * @param {ReadonlyMap<string, string>} entries of all packages
 * @param {string} file
 * @param {string} from
 */
export function targetOf(entries, file, from) {
  if (!from.startsWith('.')) return entries.get(from);
  const path = resolve(dirname(file), from);
  return path.endsWith('.js') && !existsSync(path) ? path.replace(/\.js$/, '.ts') : path;
}

/**
 * Returns the file that declares a name, following re-exports.
 * @param {ReadonlyMap<string, Module>} modules
 * @param {ReadonlyMap<string, string>} entries
 * @param {{ file: string | undefined, name: string }} wanted
 * @returns {string | undefined}
 */
export function declaringFile(modules, entries, { file, name }) {
  const module = file === undefined ? undefined : modules.get(file);
  if (file === undefined || module === undefined) return undefined;
  if (module.exported.includes(name) || module.types.includes(name)) return file;
  for (const { from, name: own, as } of module.handedOn) {
    if (as !== name && as !== '*') continue;
    const found = declaringFile(modules, entries, {
      file: targetOf(entries, file, from),
      name: as === '*' ? name : own,
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns all names that a file exports. @param {ReadonlyMap<string, Module>} modules @param {ReadonlyMap<string, string>} entries @param
 * {string} file @returns {Set<string>}
 */
export function namesOf(modules, entries, file) {
  const module = modules.get(file);
  const names = new Set([...(module?.exported ?? []), ...(module?.types ?? [])]);
  for (const { from, as } of module?.handedOn ?? []) {
    const target = targetOf(entries, file, from);
    if (as !== '*') names.add(as);
    else if (target !== undefined) for (const name of namesOf(modules, entries, target)) names.add(name);
  }
  return names;
}
