/** Starts the artifacts of `npm run package` as a user would, and sends requests to them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '@sluice/testing/machine';
import type { OutputChunk } from 'rolldown';
import { binaryFile, makeBinary } from '../../src/binary/make-binary.ts';
import { cliFolder, makeNpmPackage } from '../../src/npm-package.ts';
import { ask, environmentOf, plainRoutes, run, serve, smoke, temporaryFolder, type Running } from '../support.ts';
import { playSmokeSet } from '../smoke-set.ts';

interface Bill {
  readonly metadata: { readonly component: { readonly hashes: readonly { readonly content: string }[] } };
  readonly components: readonly {
    readonly name: string;
    readonly purl: string;
    readonly licenses: readonly object[];
  }[];
}

/** Creates a third-party package that imports only `@sluice/module`. */
function writeThirdParty(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: 'hi',
    version: '1.0.0',
    type: 'module',
    peerDependencies: { '@sluice/module': '*' },
    sluice: { entry: './index.js', modules: { 'http.handlers.hi': { help: 'Says hi.' } } },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'index.js'),
    `import { defineModule, HttpError, httpHandlers, options, string } from '@sluice/module';
     const hi = defineModule(httpHandlers, {
       name: 'hi', help: 'Says hi.', config: options({ to: string('Whom.') }),
       provision: ({ to }) => ({ handle: (exchange) => {
         if (to === 'teapot') throw new HttpError(418, 'short and stout');
         exchange.response.writeHead(200); exchange.response.end('hi ' + to);
       } }),
     });
     export const register = (registry) => void registry.add(hi);`,
  );
}

describe('packaging: built packages', function () {
  this.timeout(120_000);
  const home = temporaryFolder();
  let chunks: readonly OutputChunk[];
  before(async () => {
    chunks = await makeNpmPackage();
  });
  after(() => home.remove());

  const forms: [string, () => Promise<readonly string[] | string>][] = [
    ['the bundle', () => Promise.resolve([process.execPath, join(cliFolder, 'dist/main.js')])],
    ['the global npm install', installGlobally],
    ['the binary', makeAndMoveBinary],
  ];

  /** Installs the packed package into an empty prefix. Returns the reason if npm cannot install it. */
  function installGlobally(): Promise<readonly string[] | string> {
    const prefix = join(home.folder, 'prefix');
    const npm = (args: readonly string[], cwd: string): { readonly status: number | null; readonly stderr: string } =>
      spawnSync('npm', args, { cwd, encoding: 'utf8', env: environmentOf(home.folder) });
    npm(['pack', '--pack-destination', home.folder], cliFolder);
    const [tarball = ''] = globSync('*.tgz', { cwd: home.folder });
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0', '--loglevel=error'];
    const { status, stderr } = npm(
      ['install', '-g', '--prefix', prefix, ...quiet, join(home.folder, tarball)],
      home.folder,
    );
    return Promise.resolve(
      status === 0 ? [process.execPath, join(prefix, 'bin/sluice')] : `npm cannot install: ${stderr.split('\n')[0]}`,
    );
  }

  /** Moves the executable out of the workspace, so that it cannot find files there. */
  async function makeAndMoveBinary(): Promise<readonly string[]> {
    await makeBinary();
    const moved = join(home.folder, 'sluice');
    cpSync(binaryFile, moved);
    return [moved];
  }

  for (const [form, make] of forms) {
    describe(form, () => {
      let command: readonly string[];
      let own: ReturnType<typeof temporaryFolder>;

      before(async function () {
        const made = await make();
        own = temporaryFolder();
        if (typeof made !== 'string') command = made;
        else {
          process.stdout.write(`      skipped: ${made}\n`);
          this.skip();
        }
      });
      const running: Running[] = [];
      afterEach(async () => {
        for (const each of running.splice(0)) await each.stop();
      });
      after(() => own.remove());

      const start = async (...more: string[]): Promise<Running> => {
        const server = await run(command, own.folder, more);
        running.push(server);
        return server;
      };

      const say = (...args: string[]): { status: number | null; stdout: string; stderr: string } => {
        const [program = '', ...rest] = command;
        return spawnSync(program, [...rest, ...args], {
          encoding: 'utf8',
          env: environmentOf(own.folder),
          cwd: own.folder,
          maxBuffer: 1e8,
        });
      };

      /** Runs a command asynchronously without blocking the tests. */
      const runAsync = async (
        ...args: string[]
      ): Promise<{ status: number | null; stdout: string; stderr: string }> => {
        const [program = '', ...rest] = command;
        const child = spawn(program, [...rest, ...args], { env: environmentOf(own.folder), cwd: own.folder });
        const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => text(stream));
        const [status] = (await once(child, 'close')) as [number | null];
        return { status, stdout: (await stdout) ?? '', stderr: (await stderr) ?? '' };
      };

      for (const workers of ['0', '2'])
        it(`the built package serves, accepts valid changes, and rejects invalid changes, with --workers ${workers}`, async () => {
          const server = await start('--workers', workers);
          await smoke(server);
          expect(await server.stop()).to.equal(0);
        });

      it('the built package serves the dashboard with all page files', async () => {
        const server = await start('--workers', '0');
        const { status, text: page } = await ask(server.admin, '/ui/');
        expect(status).to.equal(200);
        const names = [...page.matchAll(/(?:src|href|data-\w+)="([^"]+)"/g)].map(([, name = '']) => name);
        expect(names).to.have.length.above(4);
        for (const name of names)
          expect([name, (await ask(server.admin, `/ui/${name}`)).status]).to.deep.equal([name, 200]);
        expect(await server.stop()).to.equal(0);
      });

      it('the built package responds to the conformance smoke set as Caddy does', async () => {
        const server = await start('--workers', '1');
        expect(await playSmokeSet(server, { folder: own.folder, seen: own.folder })).to.deep.equal([]);
        expect(await server.stop()).to.equal(0);
      });

      it('the built package hands over to a new process without refusing requests', async function () {
        if (process.platform === 'win32') this.skip();
        const server = await start('--workers', '1', '--pidfile', join(own.folder, 'pid'));
        expect((await ask(server.admin, '/config/apps/http/servers/s/routes', plainRoutes)).status).to.equal(200);
        let count = 0;
        let going = true;
        const clients = Array.from({ length: 4 }, async () => {
          for (; going; count++) expect((await ask(server.port, '/')).text).to.equal('hello');
        });
        const { status, stdout, stderr } = await runAsync(
          'upgrade',
          '--exec',
          '--address',
          `127.0.0.1:${server.admin}`,
        );
        expect([status, stderr]).to.deep.equal([0, '']);
        const successor = Number(/handed over to process (\d+)\n$/.exec(stdout)?.[1]);
        expect(await server.ended).to.equal(0);
        const before = count;
        while (count < before + 20) await sleep(20);
        going = false;
        await Promise.all(clients);
        expect(Number(readFileSync(join(own.folder, 'pid'), 'utf8'))).to.equal(successor);
        process.kill(successor, 'SIGTERM');
        while (existsSync(join(own.folder, 'pid'))) await sleep(20);
      });

      it('the built package loads third-party modules, which share its @sluice/module', async () => {
        writeThirdParty(join(own.folder, 'config/sluice/modules/node_modules/hi'));
        const server = await start('--workers', '1');
        const change = async (to: string): Promise<void> => {
          const route = [{ handle: [{ handler: 'hi', to }] }];
          expect((await ask(server.admin, '/config/apps/http/servers/s/routes', route)).text).to.equal('');
        };
        await change('you');
        expect(await ask(server.port, '/')).to.include({ status: 200, text: 'hi you' });
        // If the module used a separate copy of the package, the server would not convert the error to a response with status 418.
        await change('teapot');
        expect(await ask(server.port, '/')).to.include({ status: 418 });
        rmSync(join(own.folder, 'config'), { recursive: true });
      });

      it('the built package lists its components with versions, licenses and the checksum of its bill of materials', () => {
        const bill = JSON.parse(readFileSync(join(cliFolder, 'sbom.cdx.json'), 'utf8')) as Bill;
        const lines = say('build-info').stdout.split('\n');
        expect(lines).to.include(`sum\tsha256-${bill.metadata.component.hashes[0]?.content}`);
        expect(lines.find((line) => line.startsWith('dep\trouter\t'))).to.match(
          /\tv\d[\d.]+\tsha512-[0-9a-f]{128}\tMIT$/,
        );
        expect(bill.components.length).to.be.above(40);
        for (const { purl, licenses } of bill.components) expect([purl, licenses]).to.not.deep.include([]);
        expect(lines.filter((line) => line.startsWith('dep\t'))).to.have.length(bill.components.length);
      });

      it('the built package serves without a writable user directory, as Caddy does', async () => {
        const nowhere = { HOME: '/dev/null/x', XDG_DATA_HOME: '/dev/null/x', XDG_CONFIG_HOME: '/dev/null/x' };
        const [port, admin] = [await freePort(), await freePort()];
        const servers = {
          s: { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes: plainRoutes },
        };
        const file = join(own.folder, 'nowhere.json');
        writeFileSync(file, JSON.stringify({ admin: { listen: `127.0.0.1:${admin}` }, apps: { http: { servers } } }));
        for (const temporary of [own.folder, '/dev/null/x']) {
          const env = { ...environmentOf(own.folder), ...nowhere, TMPDIR: temporary };
          const server = await serve([...command, 'run', '--workers', '0', '--config', file], env);
          expect((await ask(port, '/')).text).to.equal('hello');
          expect(await server.stop()).to.equal(0);
        }
      });

      it('the built package prints the version of its commit and the licenses of all components', () => {
        expect(say('version').stdout).to.match(/^v\d+\.\d+\.\d+(?:\+(?:\d+\.)?g[0-9a-f]{8}(?:\.dirty)?)?\n$/);
        const { status, stdout } = say('build-info', '--licenses');
        expect(status).to.equal(0);
        expect(stdout).to.contain('Apache License').and.contain('Sluice contains these packages');
        const bill = JSON.parse(readFileSync(join(cliFolder, 'sbom.cdx.json'), 'utf8')) as Bill;
        for (const { purl } of bill.components) {
          const [, name = '', version = ''] = /^pkg:npm\/(.*)@([^@]*)$/.exec(purl) ?? [];
          expect(stdout).to.contain(`\n${name.replace('%40', '@')} ${version} (`);
        }
        if (form === 'the binary') expect(stdout).to.contain('Node.js is licensed').and.contain('OpenSSL');
      });

      it('the built package contains its commands, its modules and the initial configuration', () => {
        expect(say('version').stdout).to.match(/^v\d/);
        expect(say('list-modules').stdout).to.match(/Standard modules: 1\d\d/);
        expect(say('hash-password', '--plaintext', 'x', '--algorithm', 'bcrypt').stdout).to.match(/^\$2/);
        writeFileSync(join(own.folder, 'Caddyfile'), ':1 {\n\trespond hi\n}\n');
        expect(say('adapt', '--config', 'Caddyfile').stdout).to.contain('static_response');
      });
    });
  }

  it('the bundle loads only the files needed for the first response', async () => {
    const lists = join(home.folder, 'loaded');
    const hook = `import { registerHooks } from 'node:module'; import { appendFileSync } from 'node:fs';
      import { threadId } from 'node:worker_threads';
      registerHooks({ load(url, context, next) {
        appendFileSync(${JSON.stringify(lists)} + '-' + (threadId === 0 ? 'control' : 'traffic'), url + '\\n');
        return next(url, context);
      } });`;
    const script = join(home.folder, 'hook.mjs');
    writeFileSync(script, hook.replaceAll('\\\\n', '\\n'));
    const command = [process.execPath, '--import', script, join(cliFolder, 'dist/main.js')];
    const server = await run(command, home.folder, ['--workers', '1'], { routes: plainRoutes });
    expect((await ask(server.port, '/')).text).to.equal('hello');
    await server.stop();
    const loaded = (thread: string): OutputChunk[] => {
      const names = readFileSync(`${lists}-${thread}`, 'utf8')
        .split('\n')
        .map((url) => url.slice(url.lastIndexOf('/') + 1));
      return chunks.filter(({ fileName }) => names.includes(fileName));
    };
    const size = (of: readonly OutputChunk[]): number => of.reduce((sum, { code }) => sum + code.length, 0);
    const large =
      /node_modules\/(?:express|ajv|re2js|@peculiar|pkijs|yaml|json5|smol-toml|markdown-it|highlight\.js|mime-db|@opentelemetry|@bufbuild)\//;
    for (const thread of ['control', 'traffic']) {
      const ids = loaded(thread).flatMap(({ moduleIds }) => moduleIds);
      expect(ids.filter((id) => large.test(id))).to.deep.equal([]);
      expect(ids.some((id) => id.endsWith('/static_response/index.ts'))).to.equal(true);
      expect(
        ids.filter((id) => /\/(?:reverse_proxy\/provision|file_server\/index|acme\/index)\.ts$/.test(id)),
      ).to.deep.equal(thread === 'traffic' ? [] : ids.filter((id) => id.endsWith('tls.issuance/src/acme/index.ts')));
    }
    expect(size(loaded('traffic'))).to.be.within(200_000, 800_000);
    expect(size(loaded('control'))).to.be.within(300_000, 1_300_000);
  });

  // These tests run after the tests that create the files.
  describe('packaging: sizes', () => {
    it('the npm package is at most 12 MB, and installs at most 10 packages including dependencies', () => {
      const folder = join(home.folder, 'prefix/lib/node_modules');
      const size = (names: readonly string[], cwd: string): number =>
        names.reduce((sum, name) => sum + statSync(join(cwd, name)).size, 0);
      const files = globSync('**/*', { cwd: cliFolder }).filter((name) => statSync(join(cliFolder, name)).isFile());
      expect(size(files, cliFolder)).to.be.below(12e6);
      if (!existsSync(folder)) return;
      const packages = globSync(['*/package.json', '@*/*/package.json', '**/node_modules/{*,@*/*}/package.json'], {
        cwd: folder,
      });
      expect(packages.length).to.be.within(2, 10);
    });

    it('the binary is at most 130 MB', function () {
      if (spawnSync('strip', ['--version']).status !== 0) {
        process.stdout.write('      skipped: strip is not installed\n');
        this.skip();
      }
      expect(statSync(binaryFile).size).to.be.below(130e6);
      expect(readFileSync(`${binaryFile}.cdx.json`)).to.deep.equal(readFileSync(join(cliFolder, 'sbom.cdx.json')));
    });
  });
});
