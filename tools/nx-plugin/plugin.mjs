/**
 * Our nx plugin. A package with `tsconfig.lib.json` gets the target `build`, one with tests (`*.test.ts` below `test`)
 * gets `test`. One with a page (`src/page/index.html`) has that built as well. The arrows of the project graph are the dependencies and peerDependencies of package.json, what a package
 * needs when it runs. devDependencies serve its tests: their sources are inputs of `test`, not arrows.
 */
import { existsSync } from 'node:fs';
import { DependencyType } from 'nx/src/devkit-exports.js';
import { basename, dirname, join } from 'node:path';
import { hasTests, readPackages, runtimeDependencies } from '@sluice/workspace';

/** @typedef {import('@sluice/workspace').Package} Package */

/** Sources of the packages that the tests of `from` load beyond its own dependencies. @param {Package} from @param {Package[]} all */
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
        const hasPage = existsSync(join(workspaceRoot, root, 'src/page/index.html'));
        const page = hasPage ? ' && node tools/packaging/src/dashboard/main.ts' : '';
        targets.build = {
          command: `tsc -b ${root}/tsconfig.lib.json${page}`,
          ...(hasPage && {
            inputs: ['production', '^production', '{workspaceRoot}/tools/packaging/src/dashboard/**/*'],
          }),
          outputs: ['{projectRoot}/dist'],
        };
      }
      // What `nx release publish` runs, for the packages that nx.json names under `release`.
      if (from) targets['nx-release-publish'] = { command: `node tools/nx-plugin/release/publish.mjs ${root}` };
      if (from && hasTests(from)) {
        // Tests read sources; those of what is run or installed as it is published need the build as well.
        const built = ['server', 'example', 'dashboard'].includes(from.layer);
        targets.test = {
          ...(built && { dependsOn: ['build'] }),
          command: `node tools/workspace/mocha.mjs ${root}`,
          inputs: [
            'default',
            '^production',
            '{workspaceRoot}/.mocharc.json',
            '{workspaceRoot}/tools/workspace/coverage.mjs',
            ...testSources(from, all),
          ],
          outputs: [`{workspaceRoot}/.test-results/${basename(root)}.json`],
        };
      }
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
