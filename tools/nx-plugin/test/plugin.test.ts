import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { createDependencies, createNodes } from '../plugin.mjs';

describe('nx plugin: inferred targets', () => {
  let root = '';

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-nx-'));
    const needs = { '@sluice/registry': '0.1.0' };
    write('package.json', { workspaces: ['libs/*', 'apps/*', 'tools/*'] });
    write('libs/registry/package.json', { name: '@sluice/registry', nx: { name: 'registry' } });
    write('libs/registry/tsconfig.lib.json', {});
    write('libs/registry/test/tree/share.test.ts', {});
    write('libs/http-app/package.json', {
      name: '@sluice/http-app',
      nx: { name: 'http-app' },
      peerDependencies: needs,
      devDependencies: { '@sluice/testing': '0.1.0', chai: '6.3.0' },
    });
    write('libs/http-app/test/app.test.ts', {});
    write('tools/testing/package.json', { name: '@sluice/testing', nx: { name: 'testing' }, dependencies: needs });
  });

  after(() => {
    rmSync(root, { recursive: true });
  });

  function write(path: string, content: object): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(content));
  }

  /** Returns the nx targets that the plugin infers for a package. */
  async function targetsOf(path: string) {
    const [[, result] = []] = await createNodes[1]([`${path}/package.json`], undefined, {
      workspaceRoot: root,
      nxJsonConfiguration: {},
    });
    return result?.projects?.[path]?.targets ?? {};
  }

  it('createNodes infers that the page is built before the tests run', async () => {
    write('apps/page/package.json', { name: 'page', nx: { name: 'page', tags: ['layer:dashboard'] } });
    write('apps/page/tsconfig.lib.json', {});
    write('apps/page/src/page/index.html', {});
    write('apps/page/test/page.test.ts', {});
    const { build, page, test } = await targetsOf('apps/page');
    expect(build?.command).to.equal('tsc -b apps/page/tsconfig.lib.json && node tools/packaging/src/dashboard/main.ts');
    expect(build?.inputs).to.include('{workspaceRoot}/tools/packaging/src/dashboard/**/*');
    expect(page?.command).to.equal('node tools/packaging/src/dashboard/main.ts');
    expect(test?.dependsOn).to.deep.equal([{ projects: ['workspace'], target: 'check-types' }, 'page']);
  });

  it('createNodes infers build and test targets for a package that has both', async () => {
    const { build, test } = await targetsOf('libs/registry');
    expect(build?.command).to.equal('tsc -b libs/registry/tsconfig.lib.json');
    expect(test?.command).to.equal('node tools/workspace/mocha.mjs libs/registry');
    expect(test?.outputs).to.deep.equal(['{workspaceRoot}/.test-results/registry.json']);
  });

  it('createNodes infers only check and publish targets for a package without build and test', async () => {
    expect(Object.keys(await targetsOf('tools/testing'))).to.deep.equal(['nx-release-publish', 'lint', 'check']);
  });

  it('createNodes infers a separate target for trials and excludes trials from test inputs', async () => {
    write('libs/registry/test/tree/long.trial.ts', {});
    const { test, trial } = await targetsOf('libs/registry');
    rmSync(join(root, 'libs/registry/test/tree/long.trial.ts'));
    expect(trial?.command).to.equal('node tools/workspace/mocha.mjs libs/registry --trials');
    expect(trial?.outputs).to.deep.equal(['{workspaceRoot}/.test-results/registry-trial.json']);
    expect(test?.inputs).to.include('!{workspaceRoot}/libs/registry/test/tree/long.trial.ts');
    expect(trial?.inputs).to.include('!{workspaceRoot}/libs/registry/test/tree/share.test.ts');
  });

  it('createNodes divides slow tests into shards, each with separate input files', async () => {
    write('libs/http-app/test/long.test.ts', {});
    write('tools/workspace/test-durations.json', { 'libs/http-app/test/long.test.ts': 100_000 });
    const { test, ...targets } = await targetsOf('libs/http-app');
    rmSync(join(root, 'tools/workspace'), { recursive: true });
    rmSync(join(root, 'libs/http-app/test/long.test.ts'));
    const parts = ['test-1', 'test-2'];
    expect(test).to.deep.equal({
      executor: 'nx:noop',
      dependsOn: parts.map((target) => ({ target, params: 'forward' })),
    });
    expect(targets['test-1']?.command).to.equal('node tools/workspace/mocha.mjs libs/http-app --shard 1');
    expect(targets['test-1']?.inputs).to.include('!{workspaceRoot}/libs/http-app/test/app.test.ts');
    expect(targets['test-2']?.outputs).to.deep.equal(['{workspaceRoot}/.test-results/http-app-2.json']);
  });

  it('createNodes infers targets for checks of the workspace', async () => {
    write('tools/workspace/package.json', { name: '@sluice/workspace', nx: { name: 'workspace' } });
    const targets = await targetsOf('tools/workspace');
    rmSync(join(root, 'tools/workspace'), { recursive: true });
    expect(targets['check-prose']).to.deep.include({ command: 'node tools/workspace/check.mjs prose', cache: true });
    expect(targets['check-prose']?.inputs).to.include('{workspaceRoot}/**/*');
    expect(targets['check-types']).to.deep.include({ command: 'node tools/workspace/check.mjs types', cache: false });
    expect(targets.lint?.command).to.equal('node tools/workspace/check.mjs lint tools/workspace');
    expect(targets['check-api-report']).to.equal(undefined);
  });

  it('createNodes infers package checks that do not rerun when other packages change', async () => {
    const { check, lint } = await targetsOf('libs/http-app');
    expect(check).to.deep.include({ command: 'node tools/workspace/check.mjs check libs/http-app', cache: true });
    const elsewhere = (inputs: unknown) => (inputs as string[]).filter((each) => /\/src\/|\^production/.test(each));
    expect(elsewhere(check?.inputs)).to.deep.equal([]);
    expect(elsewhere(lint?.inputs)).to.include.members(['^production', '{workspaceRoot}/libs/registry/src/**/*']);
  });

  it('createNodes adds the sources of devDependencies, and of their dependencies, to the test inputs', async () => {
    const { test } = await targetsOf('libs/http-app');
    expect(test?.inputs).to.include.members([
      '{workspaceRoot}/libs/registry/src/**/*',
      '{workspaceRoot}/tools/testing/src/**/*',
    ]);
  });

  it('createDependencies creates edges for run-time dependencies, but not for tests', async () => {
    const context = { workspaceRoot: root } as Parameters<typeof createDependencies>[1];
    const arrows = (await createDependencies(undefined, context)).map(({ source, target }) => `${source} -> ${target}`);
    expect(arrows).to.have.members(['http-app -> registry', 'testing -> registry']);
  });
});
