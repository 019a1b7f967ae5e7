/**
 * The mechanical parts of the docs, made from the code: the table of contracts in docs/ARCHITECTURE.md, the commands in docs/guide/cli.md, the tables of
 * modules in the READMEs of packages, the error codes in docs/errors.md, and the examples in docs/guide/modules.md; and the paths that docs name. `npm test` compares them, `npm run docs`
 * The mechanical parts of the docs, made from the code: the table of contracts in docs/ARCHITECTURE.md, the commands in docs/guide/cli.md, docs/guide/caddyfile-reference.md, the tables of
 * modules in the READMEs of packages, and the examples in docs/guide/modules.md; and the paths that docs name. `npm test` compares them, `npm run docs`
 * writes them.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readContracts } from './generators/contracts.mjs';
import { referenceOf } from './generators/caddyfile-reference.mjs';
import { withModuleTable } from './generators/readme.mjs';
import { folderTree } from './generators/tree.mjs';
import { readPackages, workspaceRoot } from '@sluice/workspace';
import { readCatalogues } from '@sluice/workspace/errors';

/** @param {string} path */
const read = (path) => readFileSync(join(workspaceRoot, path), 'utf8');

/** A text with what stands between two marks replaced. @param {string} text @param {string} mark @param {string} content */
function between(text, mark, content) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no ${begin} … ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** Rows of equal width, as the formatter writes them. @param {string[][]} rows The first is the head. */
function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}

/** Namespace, interface and file of every contract. */
function contractTable() {
  const rows = [...readContracts(folderTree(workspaceRoot)).values()].map(({ namespace, token, instance, file }) => [
    `\`${namespace}\``,
    `\`${instance}\``,
    `\`${token}\``,
    `\`${file}\``,
  ]);
  return table([['Namespace', 'Interface', 'Token', 'File'], ...rows]);
}

/** Every error code with its package, by the catalogues of the packages. @returns {Promise<string>} */
async function codeTable() {
  const rows = (await readCatalogues()).flatMap(({ path, codes }) =>
    Object.entries(codes).map(([code, { meaning, advice }]) => [`\`${code}\``, meaning, advice, `\`${path}\``]),
  );
  const key = (/** @type {string[]} */ [code = '']) => code.replaceAll('`', '');
  rows.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return table([['Code', 'Meaning', 'What to do', 'Package'], ...rows]);
}

/** The guide with each example as its file is: a block after `<!-- file: path -->`. @param {string} text */
function withExamples(text) {
  const blocks = text.match(/^```ts$/gm)?.length ?? 0;
  if (text.match(/<!-- file: \S+ -->\n\n```ts\n/g)?.length !== blocks)
    throw new Error('an example of the guide is not a file: <!-- file: path --> goes before each block');
  return text.replaceAll(
    /(<!-- file: (\S+) -->\n\n```ts\n)[^]*?\n```/g,
    (_, head, path) => `${head}${read(path).trimEnd()}\n\`\`\``,
  );
}

/** The modules that a package registers, by its sources. @param {string} folder @returns {Promise<{ name: string, help: string }[]>} */
async function modulesOf(folder) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(path, 'src/index.ts')).href);
  const { register } = await load(folder);
  const { Registry } = await load(join(workspaceRoot, 'libs/registry'));
  if (typeof register !== 'function') return [];
  const registry = new Registry();
  registry.use(register);
  await registry.loadAll();
  return registry
    .list()
    .map((/** @type {import('@sluice/registry').KnownModule} */ { id, name, descriptor: { help } }) => ({
      name: folder.endsWith(id.slice(0, -name.length - 1)) ? name : id,
      help,
    }));
}

/**
 * Every command with its options, and those below it, from what they declare.
 * @param {readonly import('@sluice/registry').CommandSpec[]} commands @param {string} above @returns {string}
 */
function commandReference(commands, above = 'sluice ') {
  return commands
    .map(({ name, summary, options, argument, subcommands = [] }) => {
      const usage = `${above}${name}${argument === undefined ? '' : ` [${argument.name}]`}`;
      const text = (/** @type {string} */ plain) => plain.replaceAll(/([<{|])/g, '\\$1');
      const rows = [
        ...(argument === undefined ? [] : [[`\`${argument.name.replaceAll('|', '\\|')}\``, text(argument.help)]]),
        ...options.map(({ flags, description }) => [`\`${flags}\``, text(description)]),
      ];
      const head = `### \`${usage}\`\n\n${text(summary[0]?.toUpperCase() + summary.slice(1))}.`;
      const parts = rows.length === 0 ? [head] : [head, table([['Option', 'What it does'], ...rows])];
      return [...parts, ...(subcommands.length === 0 ? [] : [commandReference(subcommands, `${above}${name} `)])].join(
        '\n\n',
      );
    })
    .join('\n\n');
}

/** The commands that ship with the server. @returns {Promise<string>} */
async function allCommands() {
  const { addStandardCommands } = await import(
    pathToFileURL(join(workspaceRoot, 'apps/server/src/cli/commands.ts')).href
  );
  /** @type {import('@sluice/registry').CommandSpec[]} */
  const commands = [];
  addStandardCommands({
    add: (/** @type {import('@sluice/registry').CommandSpec} */ command) => void commands.push(command),
  });
  return commandReference(commands);
}

/** The page with what all that ships with the server says of itself. @param {string} text */
async function caddyfileReference(text) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(workspaceRoot, path)).href);
  const { registerStandard } = await load('apps/server/src/register-standard.ts');
  const { Registry } = await load('libs/registry/src/index.ts');
  const { directives, globalOptions, moduleSyntaxes } = await load('libs/caddyfile/src/contribute.ts');
  const registry = new Registry();
  registerStandard(registry);
  const of = (/** @type {unknown} */ point, /** @type {string} */ prefix = '') =>
    referenceOf(registry.contributions(point).values(), prefix);
  const withDirectives = between(text, 'directives', await of(directives));
  const withMatchers = between(withDirectives, 'matchers', await of(moduleSyntaxes, 'http.matchers.'));
  return between(withMatchers, 'global options', await of(globalOptions));
}

/** Every document with mechanical parts, by path, as it should be. @returns {Promise<Map<string, string>>} */
export async function makeDocs() {
  const architecture = 'docs/ARCHITECTURE.md';
  const guide = 'docs/guide/modules.md';
  const commandLine = 'docs/guide/cli.md';
  const errors = 'docs/errors.md';
  const reference = 'docs/guide/caddyfile-reference.md';
  const docs = new Map([
    [architecture, between(read(architecture), 'contracts', contractTable())],
    [guide, withExamples(read(guide))],
    [reference, await caddyfileReference(read(reference))],
    [commandLine, between(read(commandLine), 'commands', await allCommands())],
    [errors, between(read(errors), 'codes', await codeTable())],
  ]);
  for (const { path, folder, layer } of readPackages()) {
    if (layer !== 'modules' || !existsSync(join(folder, 'src/index.ts'))) continue;
    docs.set(`${path}/README.md`, withModuleTable(read(`${path}/README.md`), await modulesOf(folder)));
  }
  return docs;
}

/** Paths in code marks that a document names and that are not there; braces hold alternatives. @param {string} text */
export function missingPaths(text) {
  const named = [...text.matchAll(/`((?:libs|apps|tools|examples)\/[^`\s]+)`/g)].map(([, path = '']) => path);
  const all = named.flatMap((path) => {
    const [, before = path, alternatives = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
    return alternatives.split(',').map((each) => before + each + after);
  });
  return all.filter((path) => !/\/a\.b|\*/.test(path) && !existsSync(join(workspaceRoot, path)));
}

/** Words of the glossary that do not say where they live. @param {string} text docs/ARCHITECTURE.md */
export function wordsWithoutPlace(text) {
  const rows = (text.split('\n## Words\n')[1] ?? '').split('\n## ')[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).flatMap((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    return /^`(?:libs|apps|tools)\/[^`]+`/.test(cells[3] ?? '') ? [] : [cells[1] ?? ''];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of await makeDocs()) {
    if (read(path) === text) continue;
    if (process.argv.includes('--write')) writeFileSync(join(workspaceRoot, path), text);
    else {
      console.error(`${path} is not what the code says: npm run docs`);
      process.exitCode = 1;
    }
  }
  for (const word of wordsWithoutPlace(read('docs/ARCHITECTURE.md'))) {
    console.error(`docs/ARCHITECTURE.md: where is ${word}? The glossary names a path for each word`);
    process.exitCode = 1;
  }
  for (const path of globSync('{*.md,docs/**/*.md}', { cwd: workspaceRoot })) {
    for (const missing of missingPaths(read(path))) {
      console.error(`${path}: there is no ${missing}`);
      process.exitCode = 1;
    }
  }
}
