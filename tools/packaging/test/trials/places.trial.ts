/**
 * Tests the artifacts of `npm run package:deb` and of the image build. They are unpacked, verified with the distribution's tools, and
 * started as a server.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { freePort } from '@sluice/testing/machine';
import { binaryFile, makeBinary } from '../../src/binary/make-binary.ts';
import { makeDebianPackage } from '../../src/debian/debian-package.ts';
import { makeImageRoot, userId } from '../../src/image/image-root.ts';
import { makeNpmPackage } from '../../src/npm-package.ts';
import { writeWelcomePage } from '../../src/welcome-page.ts';
import { workspaceRoot } from '../../src/workspace.ts';
import { ask, environmentOf, run, serve, smoke, temporaryFolder } from '../support.ts';
import { buildImage, canBuild } from '../built-image.ts';
import { playSmokeSet } from '../smoke-set.ts';

const files = join(workspaceRoot, 'tools/packaging');
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const canMount = spawnSync('unshare', ['--mount', 'chroot', '/', 'true']).status === 0;

/**
 * Returns a command prefix that simulates a container. The root is a directory in which only the volumes are writable, and the user is the
 * image user.
 */
const insideOf = (root: string): string[] => {
  const mounts = [
    'mount --bind "$0" "$0"',
    ...['data', 'config'].map((volume) => `mount --bind "$0/${volume}" "$0/${volume}"`),
    'mount -o remount,ro,bind "$0"',
    'exec chroot --userspec="$1" "$0" "${@:2}"',
  ];
  const shell = ['unshare', '--mount', '--propagation', 'private', 'bash', '-c', mounts.join(' && ')];
  return [...shell, root, `${userId}:${userId}`];
};

/** Skips a test and reports the reason. */
function skip(context: Mocha.Context, reason: string): never {
  process.stdout.write(`      skipped: ${reason}\n`);
  return context.skip();
}

describe('packaging: Debian package and image', function () {
  // Compressing a package takes minutes on a busy machine.
  this.timeout(1_200_000);
  const home = temporaryFolder();
  before(async function () {
    if (process.platform !== 'linux') skip(this, 'this is not Linux');
    await makeNpmPackage();
    await makeBinary();
  });
  after(() => home.remove());

  describe('packaging: Debian package', () => {
    const root = join(home.folder, 'debian');
    before(function () {
      if (!has('dpkg-deb')) skip(this, 'there is no dpkg-deb');
      const { status, stderr } = spawnSync('dpkg-deb', ['--raw-extract', makeDebianPackage(), root], {
        encoding: 'utf8',
      });
      expect(status, stderr).to.equal(0);
    });

    it('the Debian package contains the program, units, manual pages, completions, and a configuration that updates preserve', () => {
      for (const file of [
        'usr/bin/sluice',
        'lib/systemd/system/sluice.service',
        'lib/systemd/system/sluice-api.service',
        'usr/share/man/man8/sluice.8.gz',
        'usr/share/man/man8/sluice-run.8.gz',
        'usr/share/bash-completion/completions/sluice',
        'usr/share/doc/sluice/copyright',
        'usr/share/sluice/welcome/index.html',
      ])
        expect(statSync(join(root, file)).size, file).to.be.above(100);
      expect(readFileSync(join(root, 'DEBIAN/conffiles'), 'utf8')).to.equal('/etc/sluice/Caddyfile\n');
      expect(statSync(join(root, 'usr/bin/sluice')).mode & 0o777).to.equal(0o755);
    });

    it('the Debian package has valid shell scripts', () => {
      for (const script of ['postinst', 'prerm', 'postrm']) {
        const { status, stderr } = spawnSync('sh', ['-n', join(root, 'DEBIAN', script)], { encoding: 'utf8' });
        expect(status, stderr).to.equal(0);
      }
    });

    it('the Debian package has units that systemd accepts', function () {
      if (!has('systemd-analyze')) skip(this, 'there is no systemd-analyze');
      for (const unit of ['sluice.service', 'sluice-api.service']) {
        // The units refer to the installed executable, which has a different path in the test.
        const text = readFileSync(join(root, 'lib/systemd/system', unit), 'utf8');
        const copy = join(home.folder, unit);
        writeFileSync(copy, text.replaceAll('/usr/bin/sluice', join(root, 'usr/bin/sluice')));
        const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' });
        expect([status, stderr]).to.deep.equal([0, '']);
      }
    });

    it('the Debian package contains a valid initial configuration, which the program serves', async () => {
      const program = join(root, 'usr/bin/sluice');
      const { status, stderr } = spawnSync(program, ['validate', '--config', join(root, 'etc/sluice/Caddyfile')], {
        encoding: 'utf8',
        env: environmentOf(home.folder),
      });
      expect(status, stderr).to.equal(0);
      const server = await run([program], home.folder, ['--workers', '1']);
      await smoke(server);
      expect(await playSmokeSet(server, { folder: home.folder, seen: home.folder })).to.deep.equal([]);
      expect(await server.stop()).to.equal(0);
    });
  });

  it('the welcome pages of the packages contain existing commands and addresses', async () => {
    const folder = join(home.folder, 'welcome');
    writeWelcomePage(folder);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const [port, admin] = [await freePort(), await freePort()];
    const caddyfile = join(home.folder, 'Caddyfile');
    const installed = readFileSync(join(files, 'debian/Caddyfile'), 'utf8');
    for (const named of [':80', '/usr/share/sluice/welcome'])
      for (const text of [installed, page]) expect(text).to.contain(named);
    writeFileSync(caddyfile, installed.replace(':80 {', `:${port} {`).replace('/usr/share/sluice/welcome', folder));
    const env = { ...environmentOf(home.folder), SERVER_ADMIN: `127.0.0.1:${admin}` };
    const server = await serve([binaryFile, 'run', '--config', caddyfile], env);
    expect((await ask(port, '/')).text).to.equal(page);
    expect(page).to.not.match(/(?:src|href)=/);
    expect(page)
      .to.match(/<style>[^]*--paper:[^]*<svg [^]*<h1>/)
      .and.not.contain('{{');
    const addresses = [...page.matchAll(/localhost:2019(\/[^\s<]*)/g)].map(([, path = '']) => path);
    expect(addresses).to.have.length(2);
    for (const path of addresses) expect([path, (await ask(admin, path)).status]).to.deep.equal([path, 200]);
    expect(await server.stop()).to.equal(0);
    const unit = readFileSync(join(files, 'systemd/sluice.service'), 'utf8');
    expect(page).to.contain('sudo systemctl reload sluice<');
    expect(unit).to.contain('ExecReload=/usr/bin/sluice reload --config /etc/sluice/Caddyfile');
  });

  describe('packaging: image', () => {
    const root = join(home.folder, 'image');
    before(() => makeImageRoot(root));

    it('the container image contains the program and no other executables', () => {
      expect(existsSync(join(root, 'bin/sh'))).to.equal(false);
      expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).to.contain(`sluice:x:${userId}:${userId}`);
      const dockerfile = readFileSync(join(files, 'docker/Dockerfile'), 'utf8');
      expect(dockerfile).to.contain(`USER ${userId}:${userId}`).and.contain('STOPSIGNAL SIGTERM');
    });

    /** Runs the server in a separate root directory in which only the volumes are writable. */
    async function servesIn(root: string): Promise<void> {
      const inside = [...insideOf(root), '/usr/bin/sluice'];
      writeFileSync(join(root, 'srv/index.html'), 'from the image');
      const routes = [{ handle: [{ handler: 'file_server', root: '/srv' }] }];
      const server = await run(inside, join(root, 'data'), ['--workers', '1'], { routes, root });
      expect((await ask(server.port, '/')).text).to.equal('from the image');
      const [program = '', ...args] = inside;
      const health = spawnSync(program, [...args, 'health', '--address', `127.0.0.1:${server.admin}`], {
        encoding: 'utf8',
      });
      expect([health.status, health.stdout]).to.deep.equal([0, 'the server is healthy\n']);
      expect(await playSmokeSet(server, { folder: join(root, 'data'), seen: '/data' })).to.deep.equal([]);
      const mounts = readFileSync(`/proc/${server.child.pid}/mountinfo`, 'utf8').split('\n');
      expect(mounts.some((line) => line.includes(' / ro,'))).to.equal(true);
      expect(await server.stop()).to.equal(0);
    }

    it('the container image serves as a non-root user in its own root file system, and reports its health', async function () {
      if (!canMount) skip(this, 'file systems cannot be mounted here, which is for root alone');
      await servesIn(root);
    });

    it('the container image built from the Dockerfile serves with volumes writable by its user', async function () {
      if (!canMount) skip(this, 'file systems cannot be mounted here, which is for root alone');
      if (!canBuild) skip(this, 'there is no buildah');
      const clean = join(home.folder, 'image-to-build');
      makeImageRoot(clean);
      const built = buildImage(clean, join(home.folder, 'builder'));
      for (const volume of ['data', 'config'])
        expect(statSync(join(built, volume))).to.include({ uid: userId, gid: userId, mode: 0o40700 });
      await servesIn(built);
    });

    it('the container image starts with the command in the Dockerfile', function () {
      if (!canMount) skip(this, 'file systems cannot be mounted here, which is for root alone');
      const dockerfile = readFileSync(join(files, 'docker/Dockerfile'), 'utf8');
      const listOf = (word: string): string[] =>
        JSON.parse(new RegExp(`^${word} (\\[.*)$`, 'm').exec(dockerfile)?.[1] ?? '[]') as string[];
      const [environment = ''] = /(?<=^ENV ).*$/m.exec(dockerfile) ?? [];
      const variables = Object.fromEntries(environment.split(' ').map((each) => each.split('=') as [string, string]));
      const [mount = '', ...args] = [...insideOf(root), ...listOf('ENTRYPOINT'), 'validate', ...listOf('CMD').slice(1)];
      const { status, stderr } = spawnSync(mount, args, {
        env: { ...process.env, ...variables, PATH: process.env['PATH'] },
        encoding: 'utf8',
      });
      expect(status, stderr).to.equal(0);
    });
  });

  it('the Kubernetes manifests contain a valid configuration, and their probes and services refer to existing ports', () => {
    const text = readFileSync(join(files, 'kubernetes/sluice.yaml'), 'utf8');
    const ports = [...text.matchAll(/\{ name: (\w+), containerPort: (\d+) \}/g)].map(([, name]) => name);
    const used = [...text.matchAll(/(?:port|targetPort): ([a-z]\w*) /g)].map(([, name]) => name);
    expect(used).to.have.length.above(3);
    expect(ports).to.include.members(used);
    const [configuration] = parseAllDocuments(text).map((each) => each.toJS() as { data?: { Caddyfile: string } });
    const caddyfile = join(home.folder, 'Caddyfile');
    writeFileSync(caddyfile, configuration?.data?.Caddyfile ?? '');
    const env = environmentOf(home.folder);
    const validated = spawnSync(binaryFile, ['validate', '--config', caddyfile], { encoding: 'utf8', env });
    expect(validated.status, validated.stderr).to.equal(0);
    if (!has('kubectl')) return;
    const { status, stderr } = spawnSync(
      'kubectl',
      ['create', '--dry-run=client', '--validate=false', '-o', 'name', '-f', join(files, 'kubernetes/sluice.yaml')],
      { encoding: 'utf8', env },
    );
    // Without a cluster, kubectl can only parse the manifest.
    expect(`${status} ${stderr}`).to.match(/^0 |connection refused/);
  });
});
