/**
 * Finds exports that no other file imports: a name that is exported from a file and used in that file alone needs no
 * `export`, and one that is used nowhere can go (the linter says so once it is not exported). Types are left out: those
 * of a signature may be exported for readers of the declarations. Names count as used where sources, tests, tools or examples import them,
 * or where an index hands them on. Runs in npm test.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { codeFiles } from './imports.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

/**
 * What a file gives and takes.
 * @typedef {object} Module
 * @property {string[]} exported Names that it declares and exports.
 * @property {{ from: string, name: string }[]} taken Names that it imports or hands on; `*` for all.
 */

/** @param {string} file @param {string} text @returns {Module} */
export function readModule(file, text) {
  const { module } = parseSync(file, text);
  /** @type {string[]} */
  const exported = [];
  /** @type {{ from: string, name: string }[]} */
  const taken = [];
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName } of entries)
      taken.push({
        from: moduleRequest.value,
        name: importName.name ?? (String(importName.kind) === 'Default' ? 'default' : '*'),
      });
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (moduleRequest) taken.push({ from: moduleRequest.value, name: importName.name ?? '*' });
      else if (exportName.name !== null && !isType) exported.push(exportName.name);
    }
  }
  // `import('./a.ts')`, also as a type, `new URL('./a.ts', …)` and paths in texts: whoever loads a file so may use all.
  for (const [, path = ''] of text.matchAll(/['"`](\.{1,2}\/[^'"`\s]+\.(?:ts|js|mjs))['"`]/g))
    if (!module.staticImports.some(({ moduleRequest }) => moduleRequest.value === path) && !handsOn(module, path))
      taken.push({ from: path, name: '*' });
  for (const [, path = ''] of text.matchAll(/import\(['"](\.[^'"]+)['"]\)/g)) taken.push({ from: path, name: '*' });
  return { exported, taken };
}

/** @param {import('oxc-parser').EcmaScriptModule} module @param {string} path */
function handsOn(module, path) {
  return module.staticExports.some(({ entries }) => entries.some((entry) => entry.moduleRequest?.value === path));
}

/** `file: name` for each unused export. @param {ReadonlyMap<string, Module>} modules by absolute path @param {(file: string) => boolean} judged */
export function unusedExports(modules, judged) {
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  for (const [file, { taken }] of modules) {
    for (const { from, name } of taken) {
      if (!from.startsWith('.')) continue;
      const target = resolve(dirname(file), from).replace(/\.js$/, (end) =>
        existsSync(resolve(dirname(file), from)) ? end : '.ts',
      );
      used.set(target, (used.get(target) ?? new Set()).add(name));
    }
  }
  return [...modules]
    .filter(([file]) => judged(file))
    .flatMap(([file, { exported }]) => {
      const names = used.get(file) ?? new Set();
      if (names.has('*')) return [];
      return exported.filter((name) => !names.has(name)).map((name) => ({ file, name }));
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readPackages().flatMap(({ folder }) => codeFiles(folder));
  const modules = new Map(files.map((file) => [file, readModule(file, readFileSync(file, 'utf8'))]));
  // Files that package.json or a command names are there for readers that no import shows.
  const entries = new Set(
    readPackages().flatMap(({ folder }) => {
      const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
      // Catalogues of error codes are read by `errors.mjs`.
      const named = [...manifest.matchAll(/\.\/src\/[\w./-]+\.ts/g)].map(([path]) => join(folder, path));
      return [...named, join(folder, 'src/error-codes.ts')];
    }),
  );
  const isSource = (/** @type {string} */ file) => /[\\/]libs[\\/].*[\\/]src[\\/]/.test(file) && !entries.has(file);
  const unused = unusedExports(modules, isSource);
  for (const { file, name } of unused)
    console.log(
      `${relative(workspaceRoot, file).replaceAll('\\', '/')}: ${name} is exported, and no other file imports it`,
    );
  process.exitCode = unused.length > 0 ? 1 : 0;
}
