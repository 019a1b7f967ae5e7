/**
 * Finds unused options. An option is unused if `options({ … })` declares a property that no related code reads. Such an option would be
 * accepted, validated and documented without having an effect. Related code is
 * - the directory of the declaring file, which contains the module,
 * - files imported by these files from their own package, and files of other packages that declare the imported names,
 * - files of the package that import the declaration, except the index, which imports all modules.
 * Code that only writes or describes configurations does not count: Caddyfile syntax, inverses, references and checks. The help of an
 * option that is accepted only for compatibility with Caddy must contain {@link noEffect} and the reason. `npm test` runs this check.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { codeFiles } from './imports.mjs';
import { declaringFile, entriesOf, readModule, targetOf } from './names.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';
import { isNode, nameOf, walk } from './syntax.mjs';

/** @typedef {import('./syntax.mjs').Node} Node */

/** Part of the help text of an option that has no effect. The reason follows. */
const noEffect = 'Accepted but ignored';

/**
 * Options that another package reads from the document: `<file> <name>`, with the file that reads it. @type {Readonly<Record<string,
 * string>>}
 */
const readElsewhere = {
  'libs/admin-api/src/section.ts persist': 'libs/reconciler/src/changes/persist-changes.ts',
  'libs/admin-api/src/section.ts identifiers': 'libs/tls-app/src/identity/provision.ts',
  'libs/admin-api/src/section.ts issuers': 'libs/tls-app/src/identity/provision.ts',
};

/** Schema functions that declare an option. */
const builders = new Set(
  (
    'string choice integer number boolean duration weakString list strings integers map headerMap structure json ' +
    'inlineModule moduleMap moduleSets inlineModules inlineModuleMap'
  ).split(' '),
);

/** Directories and files that describe, write or check configurations but do not execute them. */
const describing = /(?:^|[\\/])(?:caddyfile|inverse[\w-]*|describe|reference|checks?|directives)(?:\.ts$|[\\/])/;

/** Functions that use an option's name in a message but do not read the option. */
const naming = new Set(['error', 'problem', 'warn', 'pathOf', 'optionError']);

/** Returns the schema functions that a file imports. @param {import('oxc-parser').EcmaScriptModule} module */
function schemaNames({ staticImports }) {
  const names = staticImports
    .filter(({ moduleRequest }) => /^@sluice\/(?:registry|module)$|\/schema\/options\.ts$/.test(moduleRequest.value))
    .flatMap(({ entries }) => entries.map(({ importName }) => importName.name ?? ''));
  return new Set(names.filter((name) => builders.has(name)));
}

/** Returns the name of a property, whether quoted or not. @param {unknown} key */
const keyOf = (key) => (isNode(key) && key.type === 'Literal' ? String(key['value']) : nameOf(key));

/**
 * Options in a file.
 * @typedef {object} FileOptions
 * @property {{ name: string, line: number, idle: boolean }[]} declared `idle`: the help states that it has no effect.
 * @property {ReadonlySet<string>} read Names of properties that it reads.
 */

/** @param {string} file @param {string} text @returns {FileOptions} */
export function readOptions(file, text) {
  const { module, program: tree } = parseSync(file, text);
  const program = /** @type {Node} */ (/** @type {unknown} */ (tree));
  /** @type {FileOptions['declared']} */
  const declared = [];
  const made = schemaNames(module);
  /** @type {Set<string>} */
  const read = new Set();
  /** @type {Set<unknown>} Nodes that only write or mention a property. */
  const passed = new Set();
  walk(program, (node) => {
    if (node.type === 'AssignmentExpression' && node['operator'] === '=') passed.add(node['left']);
    if (node.type === 'CallExpression' && naming.has(nameOf(node['callee'])))
      for (const argument of /** @type {Node[]} */ (node['arguments'])) passed.add(argument);
    if (node.type === 'Property') {
      passed.add(node['key']);
      const value = node['value'];
      if (isNode(value) && value.type === 'CallExpression' && made.has(nameOf(value['callee']))) {
        const [help] = /** @type {Node[]} */ (value['arguments']);
        const idle = String(help?.['value']).includes(noEffect);
        declared.push({ name: keyOf(node['key']), line: text.slice(0, node.start).split('\n').length, idle });
      }
    }
    if (node.type === 'ObjectPattern')
      for (const property of /** @type {Node[]} */ (node['properties'])) read.add(keyOf(property['key']));
    if (node.type === 'MemberExpression' && !passed.has(node)) read.add(keyOf(node['property']));
    if (node.type === 'Literal' && typeof node['value'] === 'string' && !passed.has(node)) read.add(node['value']);
  });
  return { declared, read };
}

/**
 * Returns the options that no related file reads.
 * @param {ReadonlyMap<string, FileOptions>} files by absolute path
 * @param {(file: string) => readonly string[]} imports files that a file imports
 * @param {string} root directory of the workspace; names of directories above it are ignored
 */
export function unreadOptions(files, imports, root = workspaceRoot) {
  /** @param {string} file */
  const isDescribing = (file) => describing.test(relative(root, file));
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of files.keys())
    for (const target of imports(file)) importers.set(target, [...(importers.get(target) ?? []), file]);
  const running = [...files.keys()].filter((file) => !isDescribing(file));
  /** @param {string} file */
  const runningImports = (file) => imports(file).filter((target) => !isDescribing(target));
  return running.flatMap((file) => {
    const { declared = [] } = files.get(file) ?? {};
    if (declared.length === 0) return [];
    const users = (importers.get(file) ?? []).filter((each) => !isDescribing(each));
    const near = relatedFiles(file, running, runningImports, users);
    const isRead = (/** @type {string} */ name) => near.some((each) => files.get(each)?.read.has(name));
    return declared.filter(({ name, idle }) => !idle && !isRead(name)).map(({ name, line }) => ({ file, line, name }));
  });
}

/** @param {string} file @param {readonly string[]} all @param {(file: string) => readonly string[]} imports @param {readonly string[]} importers */
function relatedFiles(file, all, imports, importers) {
  const packageFolder = file.slice(0, file.lastIndexOf('/src/') + 5);
  const near = new Set([
    file,
    ...(dirname(file) + '/' === packageFolder ? [] : all.filter((each) => each.startsWith(`${dirname(file)}/`))),
    ...importers.filter(
      (each) => !/^(?:module-)?index\.ts$/.test(basename(each)) || dirname(each) + '/' !== packageFolder,
    ),
  ]);
  for (const each of near) {
    for (const target of imports(each))
      if (each.startsWith(packageFolder) || target.startsWith(packageFolder)) near.add(target);
  }
  return [...near];
}

/**
 * Returns the files that each file imports. Imports from other packages resolve to the files that declare the imported names.
 * @param {ReadonlyMap<string, import('./names.mjs').Module>} modules @param {ReadonlyMap<string, string>} entries
 */
function importGraph(modules, entries) {
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  for (const [file, { taken, handedOn }] of modules) {
    const targets = [...taken, ...handedOn].map(({ from, name }) => {
      const target = targetOf(entries, file, from);
      return from.startsWith('.') ? target : declaringFile(modules, entries, { file: target, name });
    });
    graph.set(file, [...new Set(targets.filter((target) => target !== undefined))]);
  }
  return graph;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = readPackages();
  const files = packages
    .filter(({ path }) => /^(?:libs|apps)\//.test(path))
    .flatMap(({ folder }) => (existsSync(join(folder, 'src')) ? codeFiles(join(folder, 'src')) : []));
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const entries = new Map(packages.flatMap((each) => [...entriesOf(each)]));
  const graph = importGraph(new Map([...texts].map(([file, text]) => [file, readModule(file, text)])), entries);
  const options = new Map([...texts].map(([file, text]) => [file, readOptions(file, text)]));
  const unneeded = new Set(Object.keys(readElsewhere));
  let found = 0;
  for (const { file, line, name } of unreadOptions(options, (each) => graph.get(each) ?? [])) {
    const path = relative(workspaceRoot, file).replaceAll('\\', '/');
    const reader = readElsewhere[`${path} ${name}`];
    unneeded.delete(`${path} ${name}`);
    if (reader !== undefined && options.get(join(workspaceRoot, reader))?.read.has(name)) continue;
    found += 1;
    console.log(`${path}:${line}: option ${name} is never read`);
  }
  for (const each of unneeded) console.log(`options.mjs: ${each} no longer needs an exception`);
  process.exitCode = found + unneeded.size > 0 ? 1 : 0;
}
