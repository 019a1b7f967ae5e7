/**
 * Defines the checks of `npm test` other than tests. They are nx targets, and nx reruns a check only if one of its
 * inputs has changed. Each package has the targets in {@link packageChecks}. Checks that need all packages are targets `check-<name>` of
 * the project `workspace`, or of another project. A check prints nothing if it passes. Runs on Node 20 and has no dependencies.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Directories with packages. */
const folders = ['apps', 'examples', 'libs', 'tools'];

/** Input patterns: all files, and all code files. */
const all = ['{workspaceRoot}/**/*'];
const code = ['{workspaceRoot}/**/*.{ts,tsx,mjs,cjs,js,json}'];

/** Paths that contain prose, in documents and in code. */
const prose = ['*.md', '.github', 'apps', 'docs', 'editors', 'examples', 'libs', 'tools'];
/** textlint checks only changed files, so its cache must be discarded when the list of terms changes. */
const terms = readFileSync(new URL('terms.yml', import.meta.url));
const proseCache = `node_modules/.cache/textlint-${createHash('sha256').update(terms).digest('hex').slice(0, 12)}`;

/** Returns the command that runs a script in this directory. @param {string} name @param {...string} options */
const script = (name, ...options) => ['node', ...options, `tools/workspace/${name}.mjs`];
const fromSources = '--conditions=@sluice/source';

/** Dependency on a build of all packages. */
export const compiled = { projects: ['workspace'], target: 'check-types' };

/**
 * @typedef {object} Check
 * @property {string} title
 * @property {readonly string[]} command
 * @property {readonly string[]} inputs of the target in nx
 * @property {string} [project] that has the target; default: `workspace`
 * @property {readonly (typeof compiled)[]} [dependsOn] targets that nx runs before
 * @property {boolean} [cache] whether nx reuses the result; default: true
 * @property {boolean} [onlyAll] whether it runs by `npm run test:all` only
 */

/** @type {Readonly<Record<string, Check>>} */
export const checks = {
  // Not cached, because its results are the `dist` directories. The compiler compiles only changed files. Tests that use these directories
  // depend on this check. All other tests run in parallel with it.
  types: { title: 'types', command: ['tsc', '-b', '--checkers', '1'], inputs: code, cache: false },
  format: {
    title: 'format outside packages',
    command: ['oxfmt', '--check', ...folders.map((each) => `!${each}/**`)],
    inputs: ['{workspaceRoot}/{docs,editors,.github,.vscode}/**/*', '{workspaceRoot}/*'],
  },
  'lint-editors': {
    title: 'lint of editors',
    command: ['oxlint', 'editors'],
    inputs: ['{workspaceRoot}/{editors/**/*,.oxlintrc.json}'],
  },
  'module-index': { title: 'module index', command: script('module-index', fromSources), inputs: code },
  docs: { title: 'docs', command: ['node', fromSources, 'tools/nx-plugin/docs.mjs'], inputs: all },
  'file-sizes': { title: 'file sizes', command: script('file-sizes'), inputs: code },
  errors: { title: 'errors', command: script('errors'), inputs: all },
  unused: {
    title: 'unused files and exports',
    command: ['knip', '--no-progress', '--no-config-hints'],
    inputs: [...code, '{workspaceRoot}/knip.jsonc'],
  },
  duplicates: { title: 'names exported twice', command: script('duplicates'), inputs: code },
  options: { title: 'options that nothing reads', command: script('options'), inputs: all },
  prose: {
    title: 'prose',
    command: ['textlint', '--cache', '--cache-location', proseCache, ...prose],
    inputs: all,
  },
  'api-report': {
    title: 'API report',
    command: ['api-extractor', 'run', '--config', 'libs/module/api-extractor.json'],
    inputs: ['production', '^production', '{projectRoot}/module.api.md'],
    project: 'module',
    dependsOn: [compiled],
  },
  coverage: { title: 'coverage of core packages', command: script('coverage'), inputs: code, onlyAll: true },
};

/**
 * Checks of each package, with inputs in addition to the package's own files. Type-aware linting also reads the sources of the package's
 * dependencies.
 * @type {Readonly<Record<string, { title: string, command: readonly string[], inputs: readonly string[] }>>}
 */
export const packageChecks = {
  lint: {
    title: 'lint',
    command: ['oxlint', '--type-aware'],
    inputs: ['default', '^production', '{workspaceRoot}/.oxlintrc.json'],
  },
  check: {
    title: 'format, boundaries, guards',
    command: script('check-package'),
    inputs: [
      'default',
      '{workspaceRoot}/.oxfmtrc.json',
      `{workspaceRoot}/{${[...folders, 'libs/modules'].join()}}/*/package.json`,
      '{workspaceRoot}/tools/workspace/{check-package,boundaries,cycles,guards,guard-exceptions,imports,packages,references,syntax}.mjs',
    ],
  },
};

/**
 * Returns the command of a check by name. If `path` is given, the check belongs to that package, otherwise to the workspace. @param
 *    {string} name @param {string} [path]
 */
export function commandOfCheck(name, path) {
  if (path === undefined) return checks[name]?.command ?? null;
  const check = packageChecks[name];
  return check ? [...check.command, path] : null;
}

/** Returns the path of a check's result file, relative to `.test-results`. @param {string} name @param {string} [path] */
export const resultFile = (name, path) =>
  `checks/${path === undefined ? name : `${name}/${path.replaceAll('/', '-')}`}.json`;
