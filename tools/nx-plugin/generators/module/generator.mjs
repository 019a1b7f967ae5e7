/**
 * `npx nx g @sluice/nx-plugin:module http.handlers.teapot` creates a module in the package of its namespace. It writes the module
 * directory, a test, an entry in the package index, and a row in the package README.
 */
import { withModule } from '@sluice/workspace/module-index';
import { readContracts } from '../contracts.mjs';
import { namesOf } from '../names.mjs';
import { addModuleRow } from '../readme.mjs';
import { sourceOf, testOf } from '../source.mjs';
import { readJson, readText, versionOf, writeJson, writeNew } from '../tree.mjs';

/** @typedef {import('../tree.mjs').Tree} Tree */
/** @typedef {import('../source.mjs').NewModule} NewModule */

/** @param {Tree} tree @param {{ id: string, summary?: string }} options */
export function moduleGenerator(tree, { id, summary: help = 'Says what it does in one sentence.' }) {
  const names = namesOf(id);
  if (names.namespace === '')
    throw new Error(`${id} would be an app, which needs its own package: use @sluice/nx-plugin:package`);
  const folder = `libs/modules/${names.namespace}`;
  const contract = readContracts(tree).get(names.namespace);
  if (contract === undefined || !tree.exists(`${folder}/package.json`))
    throw new Error(
      `no package has the namespace ${names.namespace}: npx nx g @sluice/nx-plugin:namespace ${names.namespace}`,
    );
  /** @type {NewModule} */
  const made = { names, contract, help, surface: null };
  const manifest = readJson(tree, `${folder}/package.json`);
  writeNew(tree, `${folder}/src/${names.name}/index.ts`, sourceOf(made));
  writeNew(tree, `${folder}/test/${names.name}.test.ts`, testOf(made, manifest.name));
  const index = `${folder}/src/module-index.ts`;
  const module = { namespace: names.namespace, name: names.name, id, file: `${names.name}/index.ts` };
  tree.write(index, withModule(readText(tree, index), { ...module, symbol: `${names.symbol}Module` }));
  const readme = `${folder}/README.md`;
  tree.write(readme, addModuleRow(readText(tree, readme), names.name, help));
  declare(tree, folder, manifest, contract.package);
  return () => console.log(`created ${folder}/src/${names.name}. Next: npm run boundaries -- --fix && npm run format`);
}

/**
 * Adds the packages imported by the new files to the package dependencies.
 * @param {Tree} tree
 * @param {string} folder
 * @param {any} manifest
 * @param {string} host
 */
function declare(tree, folder, manifest, host) {
  const version = versionOf(tree);
  const peers = { ...manifest.peerDependencies };
  for (const name of ['@sluice/registry', host]) if (!manifest.dependencies?.[name]) peers[name] ??= version;
  const development = {
    ...manifest.devDependencies,
    '@sluice/testing': manifest.devDependencies?.['@sluice/testing'] ?? version,
  };
  const sorted = (/** @type {Record<string, string>} */ map) =>
    Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeJson(tree, `${folder}/package.json`, {
    ...manifest,
    devDependencies: sorted(development),
    peerDependencies: sorted(peers),
  });
}
