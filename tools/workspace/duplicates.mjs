/**
 * Finds names that two packages export for different declarations. A search for a name should have one result. Re-exports refer to the same
 * declaration and are allowed. {@link shared} lists names that are the same in each package by convention, such as `register`, with the
 * reason. `npm test` runs this check.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeFiles } from './imports.mjs';
import { declaringFile, entriesOf, namesOf, readModule } from './names.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

/** @typedef {import('./names.mjs').Module} Module */

/**
 * Names that each package may declare separately, with the files and the reason.
 * @type {Readonly<Record<string, { where: RegExp, reason: string }>>}
 */
const shared = {
  register: {
    where: /\/src\/(?:index|register)\.ts$/,
    reason: "contract of a package: the server calls it for the package's contributions",
  },
  ...Object.fromEntries(
    ['duration', 'integer', 'list', 'text'].map((name) => [
      name,
      {
        where: /\/(?:caddyfile\/src\/grammar\/values|registry\/src\/schema\/options)\.ts$/,
        reason: 'kind of option: in the JSON, and as a line in a Caddyfile',
      },
    ]),
  ),
};

/**
 * Returns the names that several packages declare and export, with the declaring files.
 * @param {ReadonlyMap<string, Module>} modules by absolute path
 * @param {ReadonlyMap<string, string>} entries resolutions of specifiers
 * @param {(specifier: string) => string} ownerOf the package of a specifier
 * @returns {{ name: string, files: string[] }[]}
 */
export function duplicateNames(modules, entries, ownerOf) {
  /** @type {Map<string, Map<string, Set<string>>>} files by package by name */
  const found = new Map();
  for (const [specifier, entry] of entries) {
    for (const name of namesOf(modules, entries, entry)) {
      const file = declaringFile(modules, entries, { file: entry, name });
      if (file === undefined) continue;
      const files = found.get(name) ?? new Map();
      found.set(name, files.set(file, (files.get(file) ?? new Set()).add(ownerOf(specifier))));
    }
  }
  return [...found]
    .filter(([, files]) => files.size > 1 && new Set([...files.values()].flatMap((owners) => [...owners])).size > 1)
    .map(([name, files]) => ({ name, files: [...files.keys()].toSorted() }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = readPackages();
  const files = packages.flatMap(({ folder }) => codeFiles(folder));
  const modules = new Map(files.map((file) => [file, readModule(file, readFileSync(file, 'utf8'))]));
  const entries = new Map(packages.flatMap((each) => [...entriesOf(each)]));
  const owners = new Map(packages.flatMap((each) => [...entriesOf(each).keys()].map((key) => [key, each.path])));
  const unneeded = new Set(Object.keys(shared));
  let found = 0;
  for (const { name, files: declaring } of duplicateNames(modules, entries, (each) => owners.get(each) ?? each)) {
    const paths = declaring.map((file) => relative(workspaceRoot, file).replaceAll('\\', '/'));
    unneeded.delete(name);
    if (paths.every((path) => shared[name]?.where.test(path))) continue;
    found++;
    console.log(`${paths.join(', ')}: both export ${name}: rename or merge`);
  }
  for (const name of unneeded) console.log(`duplicates.mjs: ${name} no longer needs an exception`);
  process.exitCode = found + unneeded.size > 0 ? 1 : 0;
}
