/**
 * Generates the mechanical parts of the docs from the code:
 * - the contract table in docs/ARCHITECTURE.md,
 * - the commands in docs/guide/cli.md,
 * - docs/guide/caddyfile-reference.md,
 * - the annotations in docs/guide/from-ingress-nginx.md,
 * - the module tables in package READMEs,
 * - the error codes in docs/errors.md,
 * - the examples in docs/guide/modules.md,
 * - the result tables in docs/benchmarks.md,
 * - all of docs/reference.
 * `npm test` compares the generated text with the files, and checks all links and paths in documents. `npm run docs` writes the files.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readContracts } from './generators/contracts.mjs';
import { format } from 'oxfmt';
import { referenceOf } from './generators/caddyfile-reference.mjs';
import { lintIndex, lintPage } from './generators/lint-pages.mjs';
import { brokenLinks } from './generators/links.mjs';
import { nginxPage } from './generators/nginx-page.mjs';
import { withModuleTable } from './generators/readme.mjs';
import {
  eventPage,
  indexPage,
  joined,
  metricPage,
  modulePage,
  placeholderPage,
} from './generators/reference-pages.mjs';
import { folderTree } from './generators/tree.mjs';
import { readPackages, workspaceRoot } from '@sluice/workspace';
import { readCatalogs } from '@sluice/workspace/errors';

/** @param {string} path */
const read = (path) => readFileSync(join(workspaceRoot, path), 'utf8');

/** Reports whether a document is up to date. @param {string} path @param {string} text */
const isCurrent = (path, text) => existsSync(join(workspaceRoot, path)) && read(path) === text;

/** Replaces the text between two markers. @param {string} text @param {string} mark @param {string} content */
function between(text, mark, content) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${begin} … ${end} is missing`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** Formats a Markdown table with aligned columns, as the formatter would. @param {string[][]} rows The first is the head. */
function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}

/** Returns a table of the namespace, interface and file of each contract. */
function contractTable() {
  const rows = [...readContracts(folderTree(workspaceRoot)).values()].map(({ namespace, token, instance, file }) => [
    `\`${namespace}\``,
    `\`${instance}\``,
    `\`${token}\``,
    `\`${file}\``,
  ]);
  return table([['Namespace', 'Interface', 'Token', 'File'], ...rows]);
}

/** Returns a table of all error codes with their packages, read from the catalogs of the packages. @returns {Promise<string>} */
async function codeTable() {
  const rows = (await readCatalogs()).flatMap(({ path, codes }) =>
    Object.entries(codes).map(([code, { meaning, advice }]) => [`\`${code}\``, meaning, advice, `\`${path}\``]),
  );
  const key = (/** @type {string[]} */ [code = '']) => code.replaceAll('`', '');
  rows.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return table([['Code', 'Meaning', 'What to do', 'Package'], ...rows]);
}

/** Inserts each example file as a code block after its `<!-- file: path -->` comment. @param {string} text */
function withExamples(text) {
  const blocks = text.match(/^```ts$/gm)?.length ?? 0;
  if (text.match(/<!-- file: \S+ -->\n\n```ts\n/g)?.length !== blocks)
    throw new Error('an example has no file: add <!-- file: path --> before each block');
  return text.replaceAll(
    /(<!-- file: (\S+) -->\n\n```ts\n)(?:[^]*?\n)?```/g,
    (_, head, path) => `${head}${read(path).trimEnd()}\n\`\`\``,
  );
}

/** Returns the benchmark ratios of docs/benchmarks.md that the front page shows. @param {string} benchmarks */
function chosenRatios(benchmarks) {
  const workloads = [
    'plain response',
    '20 routes, matchers, placeholders, headers',
    'host 10,000 of 10,000',
    '1 KiB file',
    'gzip, 20 KiB page',
    'TLS 1.3, persistent connections',
    'full handshakes, ECDSA',
    'HTTP/2 over TLS, 16 streams',
    'proxied plain response',
  ];
  const lines = benchmarks.slice(benchmarks.indexOf('<!-- requests -->')).split('\n');
  const rows = workloads.map((workload) => {
    const cells = lines.find((line) => line.startsWith(`| ${workload} `))?.split('|') ?? [];
    const [toReference, toNginx] = [cells.at(-3), cells.at(-2)].map((cell) => cell?.trim().split(' ')[0] ?? '');
    if (toReference === undefined || toReference === '')
      throw new Error(`docs/benchmarks.md has no workload ${workload}`);
    return [workload, toReference, toNginx ?? ''];
  });
  return table([['Workload', 'vs. Caddy', 'vs. nginx'], ...rows]);
}

/**
 * Returns the modules that a package registers, read from its sources. @param {string} folder @returns {Promise<{ name: string, help:
 * string }[]>}
 */
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
 * Formats every command with its options and subcommands, from their declarations.
 * @param {readonly import('@sluice/registry').CommandSpec[]} commands @param {string} above @returns {string}
 */
function commandReference(commands, above = 'sluice ') {
  return commands
    .map(({ name, summary, options, argument, subcommands = [] }) => {
      const usage = `${above}${name}${argument === undefined ? '' : ` [${argument.name}]`}`;
      const text = (/** @type {string} */ plain) => plain.replaceAll(/([<{|*])/g, '\\$1');
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

/** Formats all commands of the server. @returns {Promise<string>} */
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

/** Imports a source file of the workspace. @param {string} path */
const load = (path) => import(pathToFileURL(join(workspaceRoot, path)).href);

/** Returns a registry that contains all modules of the server. @returns {Promise<import('@sluice/registry').Registry>} */
async function standardRegistry() {
  const { registerStandard } = await load('apps/server/src/register-standard.ts');
  const { Registry } = await load('libs/registry/src/index.ts');
  const registry = new Registry();
  registerStandard(registry);
  await registry.loadAll();
  return registry;
}

/** Returns the table of ingress-nginx annotations. @returns {Promise<string>} */
async function annotationRows() {
  const { annotationTable } = await load('libs/modules/sluice.providers/src/kubernetes/ingress/annotations/table.ts');
  /** @type {Record<string, string>} */
  const marks = { yes: 'yes', partial: 'partial', ignored: 'not needed', no: 'warning' };
  const rows = Object.entries(annotationTable).map(([name, { support, counterpart, help }]) => [
    `\`${name}\``,
    marks[support] ?? '',
    counterpart,
    help,
  ]);
  return table([['Annotation', 'Supported', 'Equivalent or consequence', 'Meaning'], ...rows]);
}

/** Returns the table of nginx directives. */
async function nginxDirectives() {
  const folder = 'libs/modules/caddy.adapters/src/nginx/directives';
  const [{ knownDirectives }, { refusals }] = await Promise.all([
    load(`${folder}/known.ts`),
    load(`${folder}/refusals.ts`),
  ]);
  return nginxPage(knownDirectives, refusals);
}

/** Returns the pages of docs/reference by file path. @param {import('@sluice/registry').Registry} registry */
async function referencePages(registry) {
  /** @type {typeof import('@sluice/registry')} */
  const { references } = await load('libs/registry/src/index.ts');
  /** @type {typeof import('@sluice/registry/reference')} */
  const { Reference } = await load('libs/registry/src/reference.ts');
  /** @type {typeof import('@sluice/caddyfile/contribute')} */
  const { directives } = await load('libs/caddyfile/src/contribute.ts');
  const reference = new Reference(registry);
  const contributions = registry.contributions(references).values();
  const said = joined(await Promise.all([...contributions].map(async (each) => (await each.load()).reference)));
  const described = registry.contributions(directives);
  /** @type {[string, string][]} */
  const pages = [
    ['README', indexPage(reference)],
    ['nginx', await nginxDirectives()],
    ['placeholders', placeholderPage(said)],
    ['events', eventPage(said)],
    ['metrics', metricPage(said)],
  ];
  for (const module of reference.entries.values()) {
    const directive = module.namespace === 'http.handlers' && described.get(module.name)?.describe !== undefined;
    const origin = { package: registry.originOf(module.id).package, directive };
    pages.push([`modules/${module.id}`, modulePage(module, reference, said, origin)]);
  }
  /** @type {typeof import('@sluice/registry')} */
  const { loadLintChecks } = await load('libs/registry/src/index.ts');
  const checks = await loadLintChecks(registry);
  pages.push(['lint/README', lintIndex(checks)]);
  for (const check of checks) pages.push([`lint/${check.code}`, lintPage(check)]);
  const settings = JSON.parse(read('.oxfmtrc.json'));
  const made = pages.map(async ([name, text]) => {
    const path = `docs/reference/${name}.md`;
    return /** @type {const} */ ([path, (await format(path, `${text}\n`, settings)).code]);
  });
  return Promise.all(made);
}

/**
 * Adapts each Caddyfile that is followed by `<!-- adapted -->` in a guide, and inserts the resulting JSON there.
 * @param {string} text
 * @param {import('@sluice/registry').Registry} registry
 */
async function withAdapted(text, registry) {
  const { adaptConfig } = await load('libs/reconciler/src/index.ts');
  const settings = JSON.parse(read('.oxfmtrc.json'));
  const block = /(<!-- adapted -->\n\n```caddyfile\n([^]*?)```\n)(?:\n```json\n[^]*?```\n)?/g;
  const made = [...text.matchAll(block)].map(async ([, , caddyfile = '']) => {
    const { config, warnings } = await adaptConfig(registry, 'caddyfile', caddyfile);
    if (warnings.length > 0) throw new Error(`a Caddyfile in a guide has warnings: ${JSON.stringify(warnings)}`);
    const { code } = await format('config.json', JSON.stringify(config), settings);
    return `\`\`\`json\n${code}\`\`\``;
  });
  const blocks = await Promise.all(made);
  return text.replaceAll(block, (_, head) => `${head}\n${blocks.shift()}\n`);
}

/**
 * Inserts the descriptions of all registered directives, matchers and options.
 * @param {string} text
 * @param {import('@sluice/registry').Registry} registry
 */
async function caddyfileReference(text, registry) {
  /** @type {typeof import('@sluice/caddyfile/contribute')} */
  const { directives, globalOptions, moduleSyntaxes } = await load('libs/caddyfile/src/contribute.ts');
  const withDirectives = between(text, 'directives', await referenceOf(registry.contributions(directives).values()));
  const syntaxes = [...registry.contributions(moduleSyntaxes).values()];
  const withMatchers = between(withDirectives, 'matchers', await referenceOf(syntaxes, 'http.matchers.'));
  const options = await referenceOf(registry.contributions(globalOptions).values());
  const withOptions = between(withMatchers, 'global options', options);
  const others = syntaxes.filter(({ name }) => !name.startsWith('http.matchers.'));
  return between(withOptions, 'modules', await referenceOf(others));
}

/** Returns the tables and the plot of the saved benchmark runs, by file path. @returns {Promise<[string, string][]>} */
async function benchmarkDocs() {
  const load = (/** @type {string} */ name) =>
    import(pathToFileURL(join(workspaceRoot, 'tools/benchmarks/src/history', name)).href);
  const [{ readRuns }, { tablesOf }, { plotOf }] = await Promise.all(['run.ts', 'tables.ts', 'plot.ts'].map(load));
  const runs = readRuns();
  const path = 'docs/benchmarks.md';
  let text = read(path);
  for (const [mark, content] of tablesOf(runs.at(-1))) text = between(text, mark, content);
  return [
    [path, text],
    ['docs/benchmarks-ratios.svg', plotOf(runs)],
  ];
}

/** Returns the JSON Schema for test case files. @returns {Promise<[path: string, text: string]>} */
async function testCaseSchema() {
  const { caseFileSchema } = await load('apps/server/src/test-cases/case-schema.ts');
  const path = 'docs/reference/test-cases.schema.json';
  const settings = JSON.parse(read('.oxfmtrc.json'));
  return [path, (await format(path, JSON.stringify(caseFileSchema), settings)).code];
}

/** Returns the expected text of every document with generated parts, by path. @returns {Promise<Map<string, string>>} */
export async function makeDocs() {
  const architecture = 'docs/ARCHITECTURE.md';
  const guide = 'docs/guide/modules.md';
  const commandLine = 'docs/guide/cli.md';
  const errors = 'docs/errors.md';
  const ingress = 'docs/guide/from-ingress-nginx.md';
  const reference = 'docs/guide/caddyfile-reference.md';
  const registry = await standardRegistry();
  const docs = new Map([
    [architecture, between(read(architecture), 'contracts', contractTable())],
    [guide, withExamples(read(guide))],
    [reference, await caddyfileReference(read(reference), registry)],
    [commandLine, between(read(commandLine), 'commands', await allCommands())],
    [ingress, between(read(ingress), 'annotations', await annotationRows())],
    [errors, between(read(errors), 'codes', await codeTable())],
    await testCaseSchema(),
    ...(await benchmarkDocs()),
    ...(await referencePages(registry)),
  ]);
  const benchmarks = docs.get('docs/benchmarks.md') ?? read('docs/benchmarks.md');
  docs.set('README.md', between(withExamples(read('README.md')), 'ratios', chosenRatios(benchmarks)));
  for (const path of globSync('docs/guide/*.md', { cwd: workspaceRoot })) {
    const text = docs.get(path) ?? read(path);
    if (text.includes('<!-- adapted -->')) docs.set(path, await withAdapted(text, registry));
  }
  for (const { path, folder, layer } of readPackages()) {
    if (layer !== 'modules' || !existsSync(join(folder, 'src/index.ts'))) continue;
    docs.set(`${path}/README.md`, withModuleTable(read(`${path}/README.md`), await modulesOf(folder)));
  }
  return docs;
}

/** Returns the paths in a document's code spans that do not exist. Braces contain alternatives. @param {string} text */
export function missingPaths(text) {
  const named = [...text.matchAll(/`((?:libs|apps|tools|examples)\/[^`\s]+)`/g)].map(([, path = '']) => path);
  const all = named.flatMap((path) => {
    const [, before = path, alternatives = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
    return alternatives.split(',').map((each) => before + each + after);
  });
  return all.filter((path) => !/\/a\.b|\*/.test(path) && !existsSync(join(workspaceRoot, path)));
}

/** Returns the glossary terms that have no source path. @param {string} text docs/ARCHITECTURE.md */
export function wordsWithoutPlace(text) {
  const rows = (text.split('\n## Terms\n')[1] ?? '').split('\n## ')[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).flatMap((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    return /^`(?:libs|apps|tools)\/[^`]+`/.test(cells[3] ?? '') ? [] : [cells[1] ?? ''];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = process.argv.includes('--write');
  const docs = await makeDocs();
  for (const [path, text] of docs) {
    const file = join(workspaceRoot, path);
    if (isCurrent(path, text)) continue;
    if (write) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } else {
      console.error(`${path} is outdated: run npm run docs`);
      process.exitCode = 1;
    }
  }
  for (const path of globSync('docs/reference/**/*.md', { cwd: workspaceRoot })) {
    if (docs.has(path)) continue;
    if (write) rmSync(join(workspaceRoot, path));
    else {
      console.error(`${path} documents something that no longer exists: run npm run docs`);
      process.exitCode = 1;
    }
  }
  for (const word of wordsWithoutPlace(read('docs/ARCHITECTURE.md'))) {
    console.error(`docs/ARCHITECTURE.md: the glossary entry ${word} has no path`);
    process.exitCode = 1;
  }
  const all = '{*.md,{docs,editors,.github}/**/*.md,{libs,libs/modules,apps,tools,examples}/*/*.md}';
  const documents = new Map(
    globSync(all, { cwd: workspaceRoot, exclude: (path) => path.includes('node_modules') })
      .sort()
      .map((path) => [path, read(path)]),
  );
  const problems = [...documents].flatMap(([path, text]) =>
    /^[^/]*$|^docs\//.test(path) ? missingPaths(text).map((missing) => `${path}: there is no ${missing}`) : [],
  );
  for (const problem of [...problems, ...brokenLinks(documents, workspaceRoot)]) {
    console.error(problem);
    process.exitCode = 1;
  }
}
