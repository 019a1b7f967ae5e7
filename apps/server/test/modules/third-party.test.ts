import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';

const execute = promisify(execFile);
const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const example = join(workspace, 'examples/module-hello');
const name = '@sluice/module-hello';

const routes = [{ handle: [{ handler: 'hello', name: '{http.request.host}' }] }];

/** A package whose code must not run during the test. */
const loud = {
  'package.json': {
    name: 'loud',
    version: '2.3.4',
    type: 'module',
    sluice: {
      entry: './index.js',
      modules: {
        'http.handlers.loud': {
          help: 'Shouts.',
          options: {
            type: 'object',
            properties: { volume: { type: 'integer', description: 'How loud.' } },
            additionalProperties: false,
          },
        },
      },
    },
  },
  'index.js': 'throw new Error("the code ran");',
};

describe('third-party modules', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let packed: string;

  before(async function () {
    this.timeout(60_000);
    sandbox = new Sandbox();
    const npm = (args: readonly string[], cwd: string) =>
      execute('npm', args, { cwd, env: { ...process.env, HOME: sandbox.folder } });
    await execute(process.execPath, [
      join(workspace, 'node_modules/typescript/bin/tsc'),
      '-b',
      join(example, 'tsconfig.lib.json'),
    ]);
    await mkdir(sandbox.path('packed'));
    await npm(['pack', '--pack-destination', sandbox.path('packed')], example);
    const [file] = await readdir(sandbox.path('packed'));
    packed = sandbox.path(`packed/${file}`);
    // The peer dependencies are the server's own packages, so nothing has to be downloaded.
    await mkdir(sandbox.path('beside'));
    await npm(
      ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', packed],
      sandbox.path('beside'),
    );
    for (const [file_, content] of Object.entries(loud)) await sandbox.write(`loud/${file_}`, content);
  });
  after(() => sandbox.remove());
  afterEach(() => rm(sandbox.configuration, { recursive: true, force: true }));

  const installed = (): string => sandbox.path(`beside/node_modules/${name}`);

  it('npm pack includes the code and manifest of a module package, but no Sluice packages', async () => {
    expect((await readdir(installed())).sort()).to.deep.equal(['README.md', 'dist', 'package.json']);
    expect(await readdir(sandbox.path('beside/node_modules/@sluice'))).to.deep.equal(['module-hello']);
  });

  for (const workers of ['0', '2']) {
    it(`--module loads modules from a directory, with --workers ${workers}`, async () => {
      const server = await TestServer.run(sandbox, routes, ['--module', installed(), '--workers', workers]);
      expect((await server.http('/', { headers: { Host: 'you.example' } })).text).to.equal('Hello, you.example!\n');
      expect(await server.stop()).to.include({ code: 0 });
    });
  }

  it('--module loads modules by package name, from the working directory', async () => {
    const beside = new Sandbox();
    await cp(sandbox.path('beside/node_modules'), beside.path('node_modules'), { recursive: true });
    const server = await TestServer.run(beside, routes, ['--module', name]);
    expect((await server.http('/', { headers: { Host: 'you' } })).text).to.equal('Hello, you!\n');
    await beside.remove();
  });

  it('modules installed in the configuration directory are loaded automatically', async () => {
    await mkdir(join(sandbox.configuration, 'modules'), { recursive: true });
    await cp(sandbox.path('beside/node_modules'), join(sandbox.configuration, 'modules/node_modules'), {
      recursive: true,
    });
    const server = await TestServer.run(sandbox, routes);
    expect((await server.http('/', { headers: { Host: 'you' } })).text).to.equal('Hello, you!\n');
  });

  it("dependencies of the configuration directory's package.json are loaded automatically", async () => {
    await mkdir(sandbox.configuration, { recursive: true });
    await cp(sandbox.path('beside/node_modules'), join(sandbox.configuration, 'node_modules'), { recursive: true });
    await cp(sandbox.path('beside/package.json'), join(sandbox.configuration, 'package.json'));
    const server = await TestServer.run(sandbox, routes);
    expect((await server.http('/', { headers: { Host: 'you' } })).text).to.equal('Hello, you!\n');
  });

  it('list-modules and schema include third-party modules without running package code', async () => {
    const listed = await sandbox.run(['list-modules', '--module', './loud', '--module', installed()]);
    expect(listed.stdout).to.match(
      /\nhttp\.handlers\.loud loud v2\.3\.4\nhttp\.handlers\.hello @sluice\/module-hello v\d[^]*\n {2}Third-party modules: 2\n$/,
    );
    const json = JSON.parse(
      (await sandbox.run(['list-modules', '--json', '--skip-standard', '--module', './loud'])).stdout,
    ) as unknown;
    expect(json).to.deep.equal([
      { module_name: 'http.handlers.loud', module_type: 'non-standard', version: '2.3.4', package: 'loud' },
    ]);
    const { stdout } = await sandbox.run(['schema', '--module', './loud']);
    const schema = JSON.parse(stdout) as { $defs: Record<string, { properties: object }> };
    expect(schema.$defs['http.handlers.loud']).to.have.nested.property('properties.volume.description', 'How loud.');
    expect(schema.$defs['http.handlers.loud']).to.have.nested.property('properties.handler.const', 'loud');
  });

  it('startup fails with a clear error if modules cannot be loaded', async () => {
    const ended = await sandbox.run(['run', '--workers', '0', '--module', './loud']);
    expect(ended.code).to.equal(1);
    expect(ended.stderr).to.include('module package loud: the code ran');
  });

  for (const [what, index, message] of [
    ['does not export register', 'export {};', 'does not export register(registry)'],
    [
      'does not register a module that it declares',
      'export function register() {}',
      'does not register http.handlers.loud',
    ],
    [
      'registers a module that it does not declare',
      `import { httpHandlers } from '@sluice/http-app';
       import { defineModule, options } from '@sluice/registry';
       export function register(registry) {
         for (const name of ['loud', 'quiet']) registry.add(defineModule(httpHandlers, { name, help: '', config: options({}), provision: () => null }));
       }`,
      'registers http.handlers.quiet, which does not match its package.json',
    ],
  ] as const) {
    it(`startup fails if a package ${what}`, async () => {
      await sandbox.write('other/package.json', loud['package.json']);
      await sandbox.write('other/index.js', index);
      const ended = await sandbox.run(['run', '--workers', '1', '--module', './other']);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include(message);
      await rename(sandbox.path('other'), sandbox.path(`other ${message}`));
    });
  }

  it('--module rejects a package without modules', async () => {
    await sandbox.write('none/package.json', { name: 'none', version: '1.0.0' });
    const ended = await sandbox.run(['list-modules', '--module', './none']);
    expect(ended).to.include({ code: 1 });
    expect(ended.stderr).to.include('package ./none does not contain modules');
  });
});
