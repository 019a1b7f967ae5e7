/**
 * Tests the workflow of a third-party developer, starting in an empty directory outside the workspace. The package is generated, tested,
 * built, packed, and installed next to the packed server.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { compile } from '../../support/compile.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { TestServer } from '../../support/server.ts';

const execute = promisify(execFile);
const workspace = fileURLToPath(new URL('../../../../../', import.meta.url));
const generator = join(workspace, 'tools/nx-plugin/generators/package/main.mjs');

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Returns the directories of our packages by name, as linked by npm. */
async function ourPackages(): Promise<Map<string, string>> {
  const names = (await readdir(join(workspace, 'node_modules/@sluice'))).map((name) => `@sluice/${name}`);
  return new Map([...names, 'sluice'].map((name) => [name, join(workspace, 'node_modules', name)]));
}

/** Returns the given packages and all our packages that they depend on, directly or indirectly. */
async function neededFrom(names: readonly string[]): Promise<string[]> {
  const folders = await ourPackages();
  const queue = new Set(names);
  for (const name of queue) {
    const manifest = JSON.parse(await readFile(join(folders.get(name) ?? '', 'package.json'), 'utf8')) as Manifest;
    for (const each of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
      if (folders.has(each)) queue.add(each);
  }
  return [...queue].map((name) => folders.get(name) ?? '');
}

describe('generated packages', function () {
  this.timeout(180_000);
  let sandbox: Sandbox;

  /** Runs a command outside the workspace, where only installed packages can be resolved. */
  const run = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
    const { NODE_OPTIONS: _, SLUICE_TEST_RESULTS: __, ...env } = process.env;
    return (await execute(command, args, { cwd, env, maxBuffer: 1e8 })).stdout;
  };

  before(async function () {
    sandbox = new Sandbox();
    await compile('libs/module', 'tools/testing');
    await mkdir(sandbox.path('packed'));
    const folders = await neededFrom(['sluice', '@sluice/module', '@sluice/testing']);
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', sandbox.path('packed'), ...folders], workspace);
    const tarballs = (await readdir(sandbox.path('packed'))).map((name) => sandbox.path(`packed/${name}`));
    await sandbox.write('package.json', { name: 'site', private: true });
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0'];
    const tools = JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8')) as Manifest;
    const wanted = ['typescript', 'mocha', 'chai', '@types/node'].map(
      (name) => `${name}@${tools.devDependencies?.[name]}`,
    );
    try {
      await run('npm', ['install', ...quiet, ...tarballs, ...wanted], sandbox.folder);
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      // Skips the test if there is no registry and no cached packages, because nothing can be installed.
      if (!/ENOTCACHED|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|network/.test(stderr)) throw error;
      process.stdout.write(`      skipped, as npm cannot install: ${stderr.split('\n')[0]}\n`);
      this.skip();
    }
  });

  after(() => sandbox.remove());

  it('a generated package can be tested, built and packed, and works with the packed server', async () => {
    const folder = sandbox.path('teapot');
    await run(process.execPath, [generator, 'http.handlers.teapot', folder, '--summary', 'Makes tea.'], sandbox.folder);
    expect(await run('npm', ['test'], folder))
      .to.contain('http.handlers.teapot')
      .and.contain('1 passing');
    await run('npm', ['pack'], folder);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;
    expect(manifest).to.have.nested.property('sluice.modules.http\\.handlers\\.teapot.options.properties.text.default');
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, join(folder, 'sluice-teapot-0.1.0.tgz')], sandbox.folder);
    sandbox.command = sandbox.path('node_modules/sluice/bin/sluice.js');
    const routes = [{ handle: [{ handler: 'teapot', text: 'Tea.' }] }];
    const server = await TestServer.run(sandbox, routes, ['--module', 'sluice-teapot', '--workers', '1']);
    expect(await server.http()).to.include({ status: 200, text: 'Tea.\n' });
    expect(await server.stop()).to.include({ code: 0 });
  });
});
