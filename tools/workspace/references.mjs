/** Keeps the TypeScript references of a package consistent with its declared dependencies. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readJson, runtimeDependencies } from './packages.mjs';

/** @typedef {import('./packages.mjs').Package} Package */

/**
 * Returns the sorted paths of the references from one package to others.
 * @param {Package} from
 * @param {Iterable<string>} names
 * @param {ReadonlyMap<string, Package>} ours
 */
function referencesTo(from, names, ours) {
  return [...new Set(names)]
    .flatMap((name) => ours.get(name)?.folder ?? [])
    .filter((folder) => existsSync(join(folder, 'tsconfig.lib.json')))
    .map((folder) => `${relative(from.folder, folder).replaceAll('\\', '/') || '.'}/tsconfig.lib.json`)
    .sort();
}

/**
 * Returns the TypeScript configurations of a package whose references differ from its dependencies. If `fix` is true, updates these files.
 * @param {Package} from @param {ReadonlyMap<string, Package>} ours By name. @param {boolean} fix
 *    @returns {string[]}
 */
export function checkReferences(from, ours, fix) {
  const runtime = runtimeDependencies(from.manifest);
  const development = Object.keys(from.manifest.devDependencies ?? {});
  const wanted = {
    'tsconfig.lib.json': referencesTo(from, runtime, ours),
    'tsconfig.spec.json': referencesTo(from, [from.manifest.name, ...runtime, ...development], ours),
  };
  return Object.entries(wanted).flatMap(([file, paths]) => {
    const path = join(from.folder, file);
    if (!existsSync(path)) return [];
    const config = readJson(path);
    /** @type {{ path: string }[]} */
    const actual = config.references ?? [];
    if (new Set(actual.map((each) => each.path)).symmetricDifference(new Set(paths)).size === 0) return [];
    if (!fix) return [`${from.path}/${file}: references differ from the dependencies: npm run boundaries -- --fix`];
    writeFileSync(
      path,
      `${JSON.stringify({ ...config, references: paths.map((each) => ({ path: each })) }, null, 2)}\n`,
    );
    return [];
  });
}
