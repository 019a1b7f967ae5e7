/**
 * The nx plugin of this workspace. A package with `tsconfig.lib.json` has the target `build`, which also builds its web page if
 * `src/page/index.html` exists, and the target `page`, which builds only the page. A package with tests (`*.test.ts` below `test`) has the target `test`. If the tests are slow, `test`
 * depends on the shards `test-1`, `test-2`, …. A package with trials (`*.trial.ts`) has the target `trial`. A package with long tests
 * (`@long` in the title) has the target `long`. The edges of the project graph are the dependencies and peerDependencies in package.json,
 * which are required at run time. devDependencies are only for tests, so their sources are inputs of `test` and not edges.
 */
import { existsSync } from 'node:fs';
import { DependencyType } from 'nx/src/devkit-exports.js';
import { basename, dirname, join } from 'node:path';
import { needsPackage, readPackages, runtimeDependencies } from '@sluice/workspace';
import { checks, compiled, packageChecks, resultFile } from '@sluice/workspace/checks';
import { longTestFiles, shardsOf, testFiles } from '@sluice/workspace/shards';

/** @typedef {import('@sluice/workspace').Package} Package */

const makePage = 'node tools/packaging/src/dashboard/main.ts';
const pageInputs = ['production', '^production', '{workspaceRoot}/tools/packaging/src/dashboard/**/*'];

/** @param {string} workspaceRoot @param {string} root directory of a package, relative to the workspace */
const hasPage = (workspaceRoot, root) => existsSync(join(workspaceRoot, root, 'src/page/index.html'));

/** Returns the sources that the tests of `from` load in addition to its dependencies. @param {Package} from @param {Package[]} all */
function testSources(from, all) {
  /** @type {Set<string>} */
  const names = new Set();
  const queue = Object.keys(from.manifest.devDependencies ?? {});
  for (const name of queue) {
    const found = all.find((each) => each.manifest.name === name);
    if (!found || names.has(found.path)) continue;
    names.add(found.path);
    queue.push(...runtimeDependencies(found.manifest));
  }
  return [...names].sort().map((path) => `{workspaceRoot}/${path}/src/**/*`);
}

/**
 * Returns the nx targets that run tests.
 * @param {Package} from @param {Package[]} all @param {string} workspaceRoot
 * @returns {Record<string, import('nx/src/devkit-exports').TargetConfiguration>}
 */
function testTargets(from, all, workspaceRoot) {
  const root = from.path;
  const name = basename(root);
  // Tests run against sources. Some tests also need the built package, because they run or install it as published.
  const packaged = needsPackage(from);
  // These tests also run compiled files. All others can run during the compilation.
  const usesCompiled = packaged || ['example', 'dashboard'].includes(from.layer);
  const dependsOn = [
    ...(usesCompiled ? [compiled] : []),
    ...(packaged ? [{ projects: ['packaging'], target: 'package' }] : []),
    ...(hasPage(workspaceRoot, root) ? ['page'] : []),
  ];
  const own = from.manifest.nx?.targets?.test;
  const inputs = [
    ...(own?.inputs ?? ['default', '^production', ...testSources(from, all)]),
    '{workspaceRoot}/.mocharc.json',
    '{workspaceRoot}/tools/workspace/{mocha,shards}.mjs',
    // Tests that need the WAF engine depend on its build.
    { runtime: 'node tools/workspace/waf-engine.mjs --find' },
    ...(packaged ? ['{workspaceRoot}/tools/packaging/src/**/*'] : []),
  ];
  /** @param {string} options @param {string} results @param {readonly string[]} left files to exclude from the inputs */
  const target = (options, results, left) => ({
    ...(dependsOn.length > 0 && { dependsOn }),
    command: `node tools/workspace/mocha.mjs ${root}${options}`,
    cache: own?.cache ?? true,
    inputs: [...inputs, ...left.map((file) => `!{workspaceRoot}/${file}`)],
    outputs: [`{workspaceRoot}/.test-results/${results}.json`],
  });
  const trials = testFiles(root, '.trial.ts', workspaceRoot);
  const tests = testFiles(root, '.test.ts', workspaceRoot);
  const long = longTestFiles(root, workspaceRoot);
  const targets = {
    ...(trials.length > 0 && { trial: target(' --trials', `${name}-trial`, tests) }),
    ...(long.length > 0 && { long: target(' --long', `${name}-long`, trials) }),
  };
  if (tests.length === 0) return targets;
  const shards = shardsOf(root, workspaceRoot);
  if (shards.length < 2) return { ...targets, test: target('', name, trials) };
  const parts = shards.map((files, i) => {
    const others = tests.filter((file) => !files.includes(file));
    return /** @type {const} */ ([
      `test-${i + 1}`,
      target(` --shard ${i + 1}`, `${name}-${i + 1}`, [...others, ...trials]),
    ]);
  });
  const shardTargets = parts.map(([part]) => ({ target: part, params: /** @type {const} */ ('forward') }));
  return { ...targets, ...Object.fromEntries(parts), test: { executor: 'nx:noop', dependsOn: shardTargets } };
}

/**
 * Returns the nx targets that run checks: those of each package, and those that need several packages. @param {Package} from @param
 * {Package[]} all
 */
function checkTargets(from, all) {
  /** @param {string} name @param {readonly string[]} inputs @param {string} [path] */
  const target = (name, inputs, path) => ({
    command: `node tools/workspace/check.mjs ${name}${path === undefined ? '' : ` ${path}`}`,
    cache: checks[name]?.cache ?? true,
    inputs: [...inputs, 'sharedGlobals', '{workspaceRoot}/tools/workspace/{check,checks}.mjs'],
    outputs: [`{workspaceRoot}/.test-results/${resultFile(name, path)}`],
  });
  /** @type {Record<string, import('nx/src/devkit-exports').TargetConfiguration>} */
  const targets = {};
  for (const [name, { inputs }] of Object.entries(packageChecks))
    targets[name] = target(name, name === 'lint' ? [...inputs, ...testSources(from, all)] : inputs, from.path);
  for (const [name, { inputs, dependsOn, project = 'workspace' }] of Object.entries(checks))
    if (project === from.project)
      targets[`check-${name}`] = { ...target(name, inputs), ...(dependsOn && { dependsOn: [...dependsOn] }) };
  return targets;
}

/** @type {import('nx/src/devkit-exports').CreateNodes} */
export const createNodes = [
  '{libs,libs/modules,apps,tools,examples}/*/package.json',
  (files, _options, { workspaceRoot }) => {
    const all = readPackages(workspaceRoot);
    return files.map((file) => {
      const root = dirname(file);
      const from = all.find((each) => each.path === root);
      /** @type {Record<string, import('nx/src/devkit-exports').TargetConfiguration>} */
      const targets = {};
      if (from && existsSync(join(workspaceRoot, root, 'tsconfig.lib.json'))) {
        const page = hasPage(workspaceRoot, root);
        targets.build = {
          command: `tsc -b ${root}/tsconfig.lib.json${page ? ` && ${makePage}` : ''}`,
          ...(page && { inputs: pageInputs }),
          outputs: ['{projectRoot}/dist'],
        };
        // Only the page, for tests.
        if (page)
          targets.page = {
            command: makePage,
            cache: true,
            inputs: pageInputs,
            outputs: ['{projectRoot}/dist/page'],
          };
      }
      // Target for `nx release publish`. It applies to the packages that nx.json lists under `release`.
      if (from) targets['nx-release-publish'] = { command: `node tools/nx-plugin/release/publish.mjs ${root}` };
      if (from) Object.assign(targets, testTargets(from, all, workspaceRoot), checkTargets(from, all));
      return [file, { projects: { [root]: { root, targets } } }];
    });
  },
];

/** @type {import('nx/src/devkit-exports').CreateDependencies} */
export const createDependencies = (_options, { workspaceRoot }) => {
  const all = readPackages(workspaceRoot);
  return all.flatMap((from) =>
    all
      .filter((to) => runtimeDependencies(from.manifest).has(to.manifest.name))
      .map((to) => ({
        source: from.project,
        target: to.project,
        sourceFile: `${from.path}/package.json`,
        type: DependencyType.static,
      })),
  );
};
