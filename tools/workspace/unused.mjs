/**
 * Finds exports that no other file imports. A name used only in its own file needs no `export`, and an unused one can be removed (the
 * linter reports it once it is not exported). Types are ignored, because those of a signature may be exported for readers of the
 * declarations. Names count as used if sources, tests, tools or examples import them, or an index re-exports them.
 * Also finds names and types of package indexes that no file outside the package's sources imports. Re-exporting a name does not count as a
 * use. The packages in {@link published} are exempt, because they serve third parties. Runs in npm test.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeFiles } from './imports.mjs';
import { entriesOf, namesOf, readModule, targetOf } from './names.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

/** @typedef {import('./names.mjs').Module} Module */

/** Packages whose names are for third parties. */
const published = new Set(['@sluice/module', '@sluice/testing']);

/** Types that are used without an import: the compiler writes them into the declarations of other packages. */
const inferred = new Set(['NetworkProxy', 'MetricDeclaration']);

/**
 * Returns `file: name` for each unused export. @param {ReadonlyMap<string, Module>} modules by absolute path @param {(file: string) =>
 * boolean} judged
 */
export function unusedExports(modules, judged) {
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  for (const [file, { taken, handedOn }] of modules) {
    for (const { from, name } of [...taken, ...handedOn]) {
      const target = from.startsWith('.') ? targetOf(new Map(), file, from) : undefined;
      if (target !== undefined) used.set(target, (used.get(target) ?? new Set()).add(name));
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

/**
 * Returns the names that packages export and no file outside their sources imports.
 * @param {ReadonlyMap<string, Module>} modules by absolute path
 * @param {ReadonlyMap<string, string>} entries resolutions of specifiers
 * @param {{ judged: (specifier: string) => boolean, isInside: (file: string, specifier: string) => boolean, isPublished: (file: string) =>
 * boolean }} rules
 */
export function unusedNames(modules, entries, { judged, isInside, isPublished }) {
  return [...entries]
    .filter(([specifier]) => judged(specifier))
    .flatMap(([specifier, file]) => {
      /** @type {Set<string>} */
      const used = new Set();
      for (const [user, { taken, handedOn, words }] of modules) {
        if (isInside(user, specifier)) continue;
        for (const { from, name } of isPublished(user) ? [...taken, ...handedOn] : taken) {
          if (targetOf(entries, user, from) !== file) continue;
          for (const each of name === '*' ? words : [name]) used.add(each);
        }
      }
      return [...namesOf(modules, entries, file)]
        .filter((name) => !used.has(name) && !inferred.has(name))
        .map((name) => ({ specifier, file, name }));
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = readPackages();
  const files = packages.flatMap(({ folder }) => [...codeFiles(folder), ...fixturesBelow(folder)]);
  const modules = new Map(files.map((file) => [file, readModule(file, readFileSync(file, 'utf8'))]));
  // Files that package.json or a command refers to are used without an import.
  const entries = new Set(
    packages.flatMap(({ folder }) => {
      const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
      // `errors.mjs` reads the catalogs of error codes.
      const named = [...manifest.matchAll(/\.\/src\/[\w./-]+\.ts/g)].map(([path]) => join(folder, path));
      return [...named, join(folder, 'src/error-codes.ts')];
    }),
  );
  const pathOf = (/** @type {string} */ file) => relative(workspaceRoot, file).replaceAll('\\', '/');
  const isSource = (/** @type {string} */ file) => /^libs\/.*\/src\//.test(pathOf(file)) && !entries.has(file);
  const unused = unusedExports(modules, isSource);
  for (const { file, name } of unused) console.log(`${pathOf(file)}: no other file imports ${name}: remove its export`);

  const specifiers = new Map(packages.flatMap((each) => [...entriesOf(each)]));
  const ownerOf = new Map(packages.flatMap((each) => [...entriesOf(each).keys()].map((key) => [key, each])));
  const sourcesOf = (/** @type {string} */ specifier) => `${ownerOf.get(specifier)?.path}/src/`;
  const idle = unusedNames(modules, specifiers, {
    judged: (specifier) =>
      sourcesOf(specifier).startsWith('libs/') && !published.has(ownerOf.get(specifier)?.manifest.name ?? ''),
    isInside: (file, specifier) => pathOf(file).startsWith(sourcesOf(specifier)),
    isPublished: (file) => /^(?:libs\/module|tools\/testing)\/src\//.test(pathOf(file)),
  });
  for (const { specifier, file, name } of idle)
    console.log(`${pathOf(file)}: no file outside the package imports ${name} from ${specifier}: remove its export`);
  process.exitCode = unused.length + idle.length > 0 ? 1 : 0;
}

/** Returns code of packages in test fixtures. @param {string} folder */
function fixturesBelow(folder) {
  const fixtures = join(folder, 'test/fixtures');
  if (!existsSync(fixtures)) return [];
  return readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|m?js)$/.test(name) && !/(?:^|[\\/])node_modules[\\/]/.test(name))
    .map((name) => join(fixtures, name));
}
