/** Lists the packages of the workspace for the scripts in this directory. Runs on Node 20 and has no dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the workspace directory. */
export const workspaceRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/**
 * The fields of package.json that the scripts read.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string[]} [workspaces]
 * @property {Record<string, string | { types: string }>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {{ name?: string, tags?: string[], targets?: { test?: { inputs?: string[], cache?: boolean } } }} [nx]
 */

/**
 * A package of the workspace.
 * @typedef {object} Package
 * @property {string} path Directory relative to the workspace, with `/`.
 * @property {string} folder Absolute directory.
 * @property {string} project Name in nx, such as `http.handlers`.
 * @property {string} layer The part after `layer:` in its tag. Empty without one.
 * @property {Manifest} manifest
 */

/** @param {string} path @returns {any} the JSON in a file */
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

export function readPackages(root = workspaceRoot) {
  /** @type {Package[]} */
  const found = [];
  for (const glob of /** @type {Manifest} */ (readJson(join(root, 'package.json'))).workspaces ?? []) {
    const parent = glob.replace(/\/\*$/, '');
    if (!existsSync(join(root, parent))) continue;
    for (const name of readdirSync(join(root, parent))) {
      const folder = join(root, parent, name);
      if (!existsSync(join(folder, 'package.json'))) continue;
      /** @type {Manifest} */
      const manifest = readJson(join(folder, 'package.json'));
      const tag = manifest.nx?.tags?.find((each) => each.startsWith('layer:')) ?? '';
      const project = manifest.nx?.name ?? manifest.name;
      found.push({ path: `${parent}/${name}`, folder, project, layer: tag.slice('layer:'.length), manifest });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Reports whether the tests of a package start the server from the published bundle. @param {Package} from */
export const needsPackage = ({ layer, project }) => layer === 'server' || project === 'conformance';

/**
 * Returns the names of run-time dependencies. Excludes optional peers, which are loaded on demand and need no build.
 * @param {Manifest} manifest
 */
export function runtimeDependencies({ dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]);
}
