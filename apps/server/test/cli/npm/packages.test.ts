import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { packTar } from 'modern-tar';
import { Sandbox, type Ended } from '../../support/sandbox.ts';

/** Creates a tarball in the format of npm packages. */
async function archiveOf(name: string, version: string, more: object): Promise<Buffer> {
  const manifest = JSON.stringify({ name, version, type: 'module', ...more });
  const code = `export function register(registry) {
  registry.add({ id: 'http.handlers.hi', name: 'hi', namespace: 'http.handlers', help: 'Says hi.', config: {}, provision: () => null });
}
`;
  const files = { 'package/package.json': manifest, 'package/index.js': code };
  const entries = Object.entries(files).map(([path, body]) => ({
    header: { name: path, size: Buffer.byteLength(body), mtime: new Date(0) },
    body,
  }));
  return gzipSync(await packTar(entries));
}

const described = { sluice: { entry: './index.js', modules: { 'http.handlers.hi': { help: 'Says hi.' } } } };
const packages: Readonly<Record<string, Readonly<Record<string, Buffer>>>> = {
  'sluice-test-hi': {
    '1.0.0': await archiveOf('sluice-test-hi', '1.0.0', described),
    '1.1.0': await archiveOf('sluice-test-hi', '1.1.0', described),
  },
  'sluice-test-plain': { '1.0.0': await archiveOf('sluice-test-plain', '1.0.0', {}) },
  'sluice-test-broken': { '1.0.0': await archiveOf('sluice-test-broken', '1.0.0', { sluice: { entry: 5 } }) },
  '@sluice%2fcli': { '9.9.9': await archiveOf('@sluice/cli', '9.9.9', {}) },
};

/** Starts a registry with the test packages on a loopback address. */
function startRegistry(): Promise<Server> {
  const server = createServer((request, response) => {
    const { host = '' } = request.headers;
    const [, name = '', version] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const versions = packages[name];
    if (versions === undefined) return response.writeHead(404).end('{}');
    if (version !== undefined) return response.end(versions[version]);
    const entries = Object.entries(versions).map(([each, archive]) => {
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
      const dist = { tarball: `http://${host}/${name}/${each}`, integrity };
      return [each, { name, version: each, dist }] as const;
    });
    const latest = Object.keys(versions).at(-1);
    response.setHeader('Content-Type', 'application/json');
    return response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('sluice package commands', function () {
  this.timeout(180_000);
  let [sandbox, registry] = [new Sandbox(), null as Server | null];
  before(async function () {
    try {
      execFileSync('npm', ['--version'], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    registry = await startRegistry();
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());
  after(() => registry?.close());

  function sluice(...args: readonly string[]): Promise<Ended> {
    const { port } = (registry as Server).address() as AddressInfo;
    const env = {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: sandbox.path('npm-cache'),
      npm_config_userconfig: sandbox.path('npmrc'),
      npm_config_update_notifier: 'false',
      npm_config_fetch_retries: '0',
    };
    return sandbox.run(args, { env });
  }
  const installed = (name: string): string => sandbox.path(`config/sluice/modules/node_modules/${name}/package.json`);
  const lockfile = (): { packages: Record<string, { integrity?: string; version?: string }> } =>
    JSON.parse(readFileSync(sandbox.path('config/sluice/modules/package-lock.json'), 'utf8'));

  it('sluice installs packages and records their hashes in the lockfile, checks for newer versions, and removes packages @long', async () => {
    const added = await sluice('add-package', 'sluice-test-hi@1.0.0');
    expect(added.code, added.stderr).to.equal(0);
    const integrity = lockfile().packages['node_modules/sluice-test-hi']?.integrity ?? '';
    expect(integrity).to.match(/^sha512-/);
    expect(added.stdout).to.equal(`sluice-test-hi 1.0.0 ${integrity}\n`);
    const listed = await sluice('list-modules', '--skip-standard');
    expect(listed.stdout).to.match(/^http\.handlers\.hi sluice-test-hi v1\.0\.0\n/);
    const again = await sluice('add-package', 'sluice-test-hi');
    expect(again.code).to.equal(1);
    expect(again.stderr).to.include('sluice-test-hi is already installed');
    const newer = await sluice('upgrade');
    expect(newer.code, newer.stderr).to.equal(0);
    expect(newer.stdout).to.match(
      /^sluice \d+\.\d+\.\d+: latest version is 9\.9\.9: npm install -g @sluice\/cli@9\.9\.9/,
    );
    expect(newer.stdout).to.match(
      /\nsluice-test-hi 1\.0\.0 -> 1\.1\.0: sluice remove-package .* && sluice add-package/,
    );
    expect(lockfile().packages['node_modules/sluice-test-hi']?.version).to.equal('1.0.0');
    const removed = await sluice('remove-package', 'sluice-test-hi', '--keep-backup');
    expect(removed, removed.stderr).to.include({ code: 0, stdout: 'removed sluice-test-hi\n' });
    expect(existsSync(installed('sluice-test-hi'))).to.equal(false);
    expect(readFileSync(sandbox.path('config/sluice/modules/package.json.backup'), 'utf8')).to.include(
      'sluice-test-hi',
    );
  });

  it('sluice add-package rejects packages that do not match the registry hash', async () => {
    const evil = await archiveOf('sluice-test-hi', '1.1.0', { evil: true });
    const served = registry?.listeners('request')[0] as (...args: unknown[]) => void;
    registry
      ?.removeAllListeners('request')
      .on('request', (request: { url?: string }, response: { end: (body: Buffer) => void }) => {
        if (request.url?.endsWith('/1.1.0') === true) response.end(evil);
        else served(request, response);
      });
    try {
      const added = await sluice('add-package', 'sluice-test-hi');
      expect(added.code).to.equal(1);
      expect(added.stderr).to.match(/EINTEGRITY[^]*npm install failed/);
      expect(existsSync(installed('sluice-test-hi'))).to.equal(false);
    } finally {
      registry?.removeAllListeners('request').on('request', served);
    }
  });

  it('sluice add-package installs archives from disk, with their modules @long', async () => {
    writeFileSync(sandbox.path('hi.tgz'), packages['sluice-test-hi']?.['1.1.0'] as Buffer);
    const added = await sluice('add-package', './hi.tgz');
    expect(added.code, added.stderr).to.equal(0);
    expect(added.stdout).to.match(/^sluice-test-hi 1\.1\.0 sha512-/);
    for (const [name, problem] of [
      ['sluice-test-plain', 'package.json has no \\"sluice\\" key'],
      ['sluice-test-broken', 'entry'],
    ] as const) {
      const strange = await sluice('add-package', name);
      expect(strange.code).to.equal(1);
      expect(strange.stderr).to.include(problem).and.to.include('nothing was added');
      expect(existsSync(installed(name))).to.equal(false);
    }
    expect(existsSync(installed('sluice-test-hi'))).to.equal(true);
  });

  const refused: readonly [args: readonly string[], message: string][] = [
    [['add-package'], 'add-package requires a package name'],
    [['remove-package'], 'remove-package requires a package name'],
    [['remove-package', 'sluice-test-hi'], 'not installed: sluice-test-hi; installed packages: none'],
  ];
  for (const [args, message] of refused)
    it(`sluice ${args.join(' ')} exits with 1`, async () => {
      const ended = await sluice(...args);
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include(message);
    });
});
