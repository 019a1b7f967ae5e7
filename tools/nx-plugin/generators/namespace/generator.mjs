/**
 * `npx nx g @sluice/nx-plugin:namespace http.limiters --contract Limiter` creates a namespace. It writes the contract to `libs/contracts`.
 * It also creates a package for modules in `libs/modules`, and the server registers this package.
 */
import { indexOf } from '@sluice/workspace/module-index';
import { readContracts } from '../contracts.mjs';
import { camelCase } from '../names.mjs';
import { writePackage } from '../skeleton.mjs';
import { readJson, readText, versionOf, writeJson, writeNew } from '../tree.mjs';

/** @typedef {import('../tree.mjs').Tree} Tree */

const list = 'apps/server/src/register-standard.ts';

/** @param {Tree} tree @param {{ id: string, contract: string }} options */
export function namespaceGenerator(tree, { id, contract }) {
  if (!/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/.test(id))
    throw new Error(
      `${JSON.stringify(id)} is not a namespace: lower-case labels joined by dots, such as http.limiters`,
    );
  if (!/^[A-Z][A-Za-z0-9]*$/.test(contract))
    throw new Error(`${JSON.stringify(contract)} is not a valid interface name, such as Limiter`);
  const known = readContracts(tree).get(id);
  if (known !== undefined) throw new Error(`namespace ${id} already exists in ${known.file}`);
  const file = id.replaceAll(/[._]/g, '-');
  const token = camelCase(id);
  writeNew(tree, `libs/contracts/src/${file}.ts`, contractOf(id, contract, token));
  const index = 'libs/contracts/src/index.ts';
  tree.write(index, `${readText(tree, index).trimEnd()}\nexport { ${token}, type ${contract} } from './${file}.ts';\n`);
  const path = `libs/modules/${id}`;
  writePackage(tree, {
    path,
    layer: 'modules',
    description: `Modules in the \`${id}\` namespace. Each module is in a directory of its own.`,
    peers: ['@sluice/registry'],
  });
  tree.write(`${path}/src/index.ts`, registerOf(id));
  tree.write(`${path}/src/module-index.ts`, indexOf([]));
  addToServer(tree, id);
  return () => console.log(`created ${path}. Next: npm install && npm run boundaries -- --fix && npm run format`);
}

/** @param {string} id @param {string} contract @param {string} token */
function contractOf(id, contract, token) {
  return `/** The contract of the modules in \`${id}\`: describe their purpose here. */
import { namespace, type Namespace } from '@sluice/registry';

/** A module of \`${id}\`. Describe what its host calls, and when. */
export interface ${contract} {
  /** Name for logs. */
  readonly name: string;
}

/** Namespace \`${id}\`. */
export const ${token}: Namespace<${contract}> = namespace<${contract}>('${id}');
`;
}

/** @param {string} id */
function registerOf(id) {
  return `/** Modules of the namespace \`${id}\`. */
import type { Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

/** Registers the modules of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
}
`;
}

/** Adds a package to the server's package list and dependencies. @param {Tree} tree @param {string} id */
function addToServer(tree, id) {
  const text = readText(tree, list);
  const name = camelCase(id);
  const imported = `import { register as ${name} } from '@sluice/${id}';\n`;
  const end = text.indexOf('\n];');
  const listed = `${text.slice(0, end)}\n  ['@sluice/${id}', ${name}],${text.slice(end)}`;
  const types = listed.indexOf('import type ');
  tree.write(list, `${listed.slice(0, types)}${imported}${listed.slice(types)}`);
  const manifest = readJson(tree, 'apps/server/package.json');
  const entries = Object.entries({ ...manifest.dependencies, [`@sluice/${id}`]: versionOf(tree) });
  const dependencies = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeJson(tree, 'apps/server/package.json', { ...manifest, dependencies });
}
