/** Finds the contract of a module namespace: the token and the interface that the namespace's host exports. */
import { readJson } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */

/**
 * The contract of a namespace.
 * @typedef {object} Contract
 * @property {string} namespace Such as `http.handlers`.
 * @property {string} token Such as `httpHandlers`.
 * @property {string} instance The interface of its modules, such as `HttpHandler`.
 * @property {string} file File that declares both, relative to the workspace.
 * @property {string} package The package that exports the token.
 */

/** Directories of the packages that may host modules. */
const hosts = ['libs', 'libs/modules'];

const declaration = /export const (\w+)(?:: Namespace<\w+>)? = namespace<(\w+)>\(\s*'([^']+)',?\s*\)/g;

/** Returns the contracts of a workspace by namespace ID. @param {Tree} tree @returns {Map<string, Contract>} */
export function readContracts(tree) {
  /** @type {Contract[]} */
  const found = [];
  for (const host of hosts) {
    for (const name of tree.children(host)) {
      const folder = `${host}/${name}`;
      if (!tree.exists(`${folder}/package.json`)) continue;
      const owner = readJson(tree, `${folder}/package.json`).name;
      for (const file of sourceFiles(tree, `${folder}/src`)) found.push(...contractsIn(tree, file, owner));
    }
  }
  return new Map(found.sort((a, b) => (a.namespace < b.namespace ? -1 : 1)).map((each) => [each.namespace, each]));
}

/** @param {Tree} tree @param {string} file @param {string} owner @returns {Contract[]} */
function contractsIn(tree, file, owner) {
  const text = tree.read(file, 'utf8') ?? '';
  return [...text.matchAll(declaration)].map(([, token = '', instance = '', namespace = '']) => ({
    namespace,
    token,
    instance,
    file,
    package: owner,
  }));
}

/** @param {Tree} tree @param {string} folder @returns {string[]} */
function sourceFiles(tree, folder) {
  return tree.children(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name.endsWith('.ts')) return [path];
    return name.includes('.') && !tree.exists(`${path}/index.ts`) ? [] : sourceFiles(tree, path);
  });
}
