/**
 * Creates a third-party module package that is built, tested and packed outside this workspace. Run it with `npx nx g
 * @sluice/nx-plugin:package http.handlers.teapot --directory ../sluice-teapot`. Without nx, run `node
 * tools/nx-plugin/generators/package/main.mjs http.handlers.teapot ../sluice-teapot`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContracts } from '../contracts.mjs';
import { namesOf } from '../names.mjs';
import { sourceOf, syntaxOf, syntaxTestOf, testOf } from '../source.mjs';
import { kindOf } from '../kinds.mjs';
import { folderTree, readJson, readText } from '../tree.mjs';

/** @typedef {import('../tree.mjs').Tree} Tree */
/** @typedef {import('../source.mjs').NewModule} NewModule */
/** @typedef {{ id: string, directory: string, name?: string, summary?: string, directive?: boolean }} PackageOptions */

const surface = '@sluice/module';
const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Entry point called by nx. The nx tree covers only the workspace, so the package is written afterwards. nx skips that step in a dry run.
 * @param {Tree} tree @param {PackageOptions} options
 */
export function packageGenerator(tree, options) {
  return () => {
    const folder = makePackage({ ...options, directory: resolve(tree.root, options.directory) });
    console.log(`created ${folder}. Next: cd ${folder} && npm install && npm test && npm pack`);
  };
}

/** Writes a package into an empty or new directory. Returns the path of the directory. @param {PackageOptions} options */
export function makePackage({
  id,
  directory,
  name,
  summary: help = 'Describe the module in one sentence.',
  directive = false,
}) {
  const folder = resolve(directory);
  const tree = folderTree(folder);
  if (tree.children('.').some((child) => child !== '.git')) throw new Error(`${folder} is not empty`);
  const names = namesOf(id);
  /** @type {NewModule} */
  const made = { names, contract: exportedContract(names.namespace), help, surface, directive };
  if (directive && kindOf(names.namespace).option === undefined)
    throw new Error(`--directive supports only handlers and matchers, not ${id}`);
  const called = name ?? `sluice-${names.name.replaceAll('_', '-')}`;
  const files = {
    'package.json': `${JSON.stringify(manifestOf(called, help, names.id), null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compilerOptions, null, 2)}\n`,
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
    '.mocharc.json': `${JSON.stringify({ spec: 'test/**/*.test.ts', require: ['@sluice/testing/root-hooks'], timeout: 20_000 }, null, 2)}\n`,
    'README.md': readmeOf(called, help, names.id),
    'src/index.ts': sourceOf(made),
    'test/index.test.ts': testOf(made, '../src/index.ts'),
    ...(directive && { 'src/caddyfile.ts': syntaxOf(made), 'test/caddyfile.test.ts': syntaxTestOf(made) }),
  };
  for (const [path, content] of Object.entries(files)) tree.write(path, content);
  return folder;
}

/**
 * Facts needed to create a package: the contracts available to third parties, and versions.
 * @typedef {{ contracts: import('../contracts.mjs').Contract[], version: string, tools: Record<string, string> }} Facts
 */

/** Returns the package creation facts of this workspace. @returns {Facts} */
export function factsOfWorkspace() {
  const tree = folderTree(workspace);
  const sources = tree.children('libs/module/src').map((file) => readText(tree, `libs/module/src/${file}`));
  const isExported = (/** @type {string} */ name) => sources.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const { devDependencies } = readJson(tree, 'package.json');
  const tools = ['@types/chai', '@types/mocha', '@types/node', 'chai', 'mocha', 'typescript'];
  return {
    contracts: [...readContracts(tree).values()].filter((each) => isExported(each.token) && isExported(each.instance)),
    version: readJson(tree, 'libs/module/package.json').version,
    tools: Object.fromEntries(tools.map((tool) => [tool, devDependencies[tool]])),
  };
}

/** Returns the package creation facts from the file in `@sluice/create-module`, or otherwise from this workspace. @returns {Facts} */
function facts() {
  const file = new URL('../../facts.json', import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : factsOfWorkspace();
}

/** Returns the contract of a namespace. @param {string} namespace */
function exportedContract(namespace) {
  if (namespace === '') return { namespace, token: 'apps', instance: 'object', file: '', package: '@sluice/registry' };
  const { contracts } = facts();
  const contract = contracts.find((each) => each.namespace === namespace);
  if (contract !== undefined) return contract;
  const known = contracts.map((each) => each.namespace).join(', ');
  throw new Error(`namespace ${namespace} is not available to third parties: expected one of ${known}`);
}

/** @param {string} name @param {string} help @param {string} id */
function manifestOf(name, help, id) {
  const { version, tools } = facts();
  const range = `^${version}`;
  return {
    name,
    version: '0.1.0',
    description: help,
    license: 'Apache-2.0',
    type: 'module',
    files: ['dist'],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    scripts: { build: 'tsc && sluice manifest', test: 'mocha', prepack: 'npm run build' },
    peerDependencies: { [surface]: range },
    devDependencies: {
      [surface]: range,
      '@sluice/testing': range,
      ...tools,
      sluice: range,
    },
    engines: { node: '>=24' },
    sluice: { entry: './dist/index.js', modules: { [id]: { help } } },
  };
}

const compilerOptions = {
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext'],
    module: 'nodenext',
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
    declaration: true,
    strict: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
  },
  include: ['src'],
};

/** @param {string} name @param {string} help @param {string} id */
function readmeOf(name, help, id) {
  return `# ${name}

${help} A module for Sluice: \`${id}\`.

    npm install ${name}
    sluice run --config sluice.json --module ${name}

- \`src/index.ts\` defines the module and exports \`register(registry)\`.
- \`npm test\` runs the tests on the sources, \`npm run build\` compiles them and writes the key \`sluice\` of package.json:
  what \`sluice list-modules\` and \`sluice schema\` know of the module without running its code.
`;
}
