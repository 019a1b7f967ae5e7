/**
 * `npx nx g @sluice/nx-plugin:module http.handlers.teapot`: a module in the package of its namespace. It writes the
 * module's folder, its test, its line in the package's `register` and its line in the package's README.
 */
import { readContracts } from '../contracts.mjs';
import { namesOf } from '../names.mjs';
import { addModuleRow } from '../readme.mjs';
import { sourceOf, testOf } from '../source.mjs';
import { readJson, readText, writeJson, writeNew } from '../tree.mjs';

/** @typedef {import('../tree.mjs').Tree} Tree */
/** @typedef {import('../source.mjs').NewModule} NewModule */

/** @param {Tree} tree @param {{ id: string, summary?: string }} options */
export function moduleGenerator(tree, { id, summary: help = 'Says what it does in one sentence.' }) {
  const names = namesOf(id);
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
  tree.write(
    `${folder}/src/index.ts`,
    withLine(readText(tree, `${folder}/src/index.ts`), names.name, `${names.symbol}Module`),
  );
  const readme = `${folder}/README.md`;
  tree.write(readme, addModuleRow(readText(tree, readme), names.name, help));
  declare(tree, folder, manifest, contract.package);
  return () => console.log(`${folder}/src/${names.name} is made. Now: npm run boundaries -- --fix && npm run format`);
}

/** Adds the packages that the new files import. @param {Tree} tree @param {string} folder @param {any} manifest @param {string} host */
function declare(tree, folder, manifest, host) {
  const version = '0.1.0';
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

/**
 * The `index.ts` of a package with one more module: its import and its line in `register`, each in alphabetical order.
 * @param {string} text @param {string} name @param {string} symbol
 */
function withLine(text, name, symbol) {
  const added = insertSorted(
    text,
    /^import .* from '\.\/.*';$/gm,
    `import { ${symbol} } from './${name}/index.ts';`,
    /from '(.*)'/,
  );
  const first =
    added === text
      ? text.replace(/^(import .*;\n)(?!import )/m, `$1import { ${symbol} } from './${name}/index.ts';\n`)
      : added;
  const line = `  registry.add(${symbol});`;
  const registered = insertSorted(first, /^ {2}registry\.add\(\w+\).*;$/gm, line, /add\((\w+)\)/);
  return registered === first
    ? first
        .replace('register(_registry', 'register(registry')
        .replace(/(void \{)\}/, '$1\n}')
        .replace(/(export function register\([^)]*\): void \{\n)/, `$1${line}\n`)
    : registered;
}

/** Puts a line before the first of its kind that sorts after it, or after the last. @param {string} text @param {RegExp} kind @param {string} line @param {RegExp} key */
function insertSorted(text, kind, line, key) {
  const keyOf = (/** @type {string} */ each) => key.exec(each)?.[1] ?? '';
  const lines = [...text.matchAll(kind)];
  const last = lines.at(-1);
  if (last === undefined) return text;
  const next = lines.find(([each]) => keyOf(each) > keyOf(line));
  const at = next === undefined ? last.index + last[0].length + 1 : next.index;
  return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
}
