/**
 * The checks of npm test besides the tests and the type check. Each is a target `check-<name>` of the project `workspace`, which nx reruns
 * only when one of its inputs has changed. `lint` is a target of each package. A check prints nothing when it passes. Runs on Node 20,
 * without dependencies.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** All files, and those that concern only readers of the code. */
const all = ['{workspaceRoot}/**/*'];
const code = ['{workspaceRoot}/**/*.{ts,tsx,mjs,cjs,js,json}'];

/** Paths with prose, in documents and in code. */
const prose = ['*.md', '.github', 'apps', 'docs', 'editors', 'examples', 'libs', 'tools'];
/** textlint checks only changed files, but does not notice when the terms change. */
const terms = readFileSync(new URL('terms.yml', import.meta.url));
const proseCache = `node_modules/.cache/textlint-${createHash('sha256').update(terms).digest('hex').slice(0, 12)}`;

/** Returns the command of a script in this directory. @param {string} name @param {...string} options */
const script = (name, ...options) => ['node', ...options, `tools/workspace/${name}.mjs`];
const fromSources = '--conditions=@sluice/source';

/**
 * @typedef {object} Check
 * @property {string} title
 * @property {readonly string[]} command
 * @property {readonly string[]} inputs of the target in nx
 * @property {readonly { projects: string[], target: string }[]} [dependsOn] targets that nx runs before
 * @property {boolean} [onlyAll] whether it runs by `npm run test:all` only
 */

/** @type {Readonly<Record<string, Check>>} */
export const checks = {
  format: { title: 'format', command: ['oxfmt', '--check'], inputs: all },
  'lint-editors': {
    title: 'lint of editors',
    command: ['oxlint', 'editors'],
    inputs: ['{workspaceRoot}/{editors/**/*,.oxlintrc.json}'],
  },
  boundaries: { title: 'boundaries', command: script('boundaries'), inputs: code },
  'module-index': { title: 'module index', command: script('module-index', fromSources), inputs: code },
  docs: { title: 'docs', command: ['node', fromSources, 'tools/nx-plugin/docs.mjs'], inputs: all },
  'file-sizes': { title: 'file sizes', command: script('file-sizes'), inputs: code },
  errors: { title: 'errors', command: script('errors'), inputs: all },
  unused: { title: 'unused exports', command: script('unused'), inputs: code },
  duplicates: { title: 'names exported twice', command: script('duplicates'), inputs: code },
  options: { title: 'options that nothing reads', command: script('options'), inputs: all },
  prose: {
    title: 'prose',
    command: ['textlint', '--cache', '--cache-location', proseCache, ...prose],
    inputs: all,
  },
  guards: { title: 'guards', command: script('guards'), inputs: code },
  'api-report': {
    title: 'API report',
    command: script('api-report'),
    inputs: all,
    dependsOn: [{ projects: ['module'], target: 'build' }],
  },
  coverage: { title: 'coverage of the core', command: script('coverage'), inputs: code, onlyAll: true },
};

/** Returns the command of a check by name, or `lint` of a package. @param {string} name @param {string} [path] */
export function commandOfCheck(name, path) {
  if (name === 'lint' && path !== undefined) return ['oxlint', '--type-aware', path];
  return checks[name]?.command ?? null;
}

/** Returns the result file of a check, below `.test-results`. @param {string} name @param {string} [path] */
export const resultFile = (name, path) =>
  `checks/${path === undefined ? name : `${name}/${path.replaceAll('/', '-')}`}.json`;
