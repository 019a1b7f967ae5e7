/** Tests the parts of a release that do not require an executable. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { buildOf } from '../src/build.ts';
import { dashboard } from '../src/grafana/dashboard.ts';
import { identity, manifestIdentity } from '../src/identity.ts';
import { packImageRoot, writeImage } from '../src/image/oci-image.ts';
import { thirdPartyLicenses } from '../src/licenses/third-party-licenses.ts';
import { nodeDependencies } from '../src/node-dependencies.ts';
import { complaints, newerReleases, newestForAll } from '../src/node-release/releases.ts';
import { makeExtension } from '../src/release/extension.ts';
import { targets } from '../src/targets.ts';
import { workspaceRoot } from '../src/workspace.ts';
import { environmentOf, temporaryFolder } from './support.ts';

describe('packaging of a release', function () {
  this.timeout(60_000);
  const home = temporaryFolder();
  after(() => home.remove());

  it('buildOf returns the tag as the version, plus the commit count and commit if there are commits after the tag', () => {
    const folder = join(home.folder, 'repository');
    mkdirSync(folder);
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
    expect(buildOf('0.1.0', home.folder)).to.deep.equal({ version: '0.1.0', commit: '', date: '' });
    git('init', '--quiet');
    writeFileSync(join(folder, 'a'), '1');
    git('add', 'a');
    git('commit', '--quiet', '--message', 'one');
    const commit = (): string => git('rev-parse', 'HEAD').slice(0, 8);
    expect(buildOf('0.1.0', folder).version).to.equal(`0.1.0+g${commit()}`);
    git('tag', '--annotate', 'v0.2.0', '--message', 'release');
    expect(buildOf('0.2.0', folder)).to.include({ version: '0.2.0', commit: git('rev-parse', 'HEAD') });
    git('commit', '--quiet', '--allow-empty', '--message', 'two');
    expect(buildOf('0.2.0', folder).version).to.equal(`0.2.0+1.g${commit()}`);
    writeFileSync(join(folder, 'a'), '2');
    expect(buildOf('0.2.0', folder).version).to.equal(`0.2.0+1.g${commit()}.dirty`);
  });

  it('identity returns the maintainer and repository from package.json, or the repository of the workflow', () => {
    const { author } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')) as {
      readonly author: { readonly name: string; readonly email: string };
    };
    expect(identity({})).to.include(author);
    expect(manifestIdentity('libs/base').author).to.equal(`${author.name} <${author.email}>`);
    const workflow = { GITHUB_SERVER_URL: 'https://forge.example', GITHUB_REPOSITORY: 'us/sluice' };
    expect(identity(workflow).repository).to.equal('https://forge.example/us/sluice');
  });

  it('thirdPartyLicenses generates a missing license text from the manifest, and rejects packages whose license is unknown', () => {
    const folder = join(home.folder, 'package');
    mkdirSync(folder);
    const write = (license: string): void =>
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'p', version: '1.0.0', license, author: 'Ada' }),
      );
    write('MIT');
    expect(thirdPartyLicenses([folder]))
      .to.contain('p 1.0.0 (MIT)')
      .and.contain('Copyright (c) Ada')
      .and.contain('Permission is hereby granted');
    write('SEE LICENSE IN x');
    expect(() => thirdPartyLicenses([folder])).to.throw('p has no license file');
  });

  it('targets.ts uses the same Node version for all platforms, and packageFolder downloads this version', () => {
    const ownNode = readFileSync(join(workspaceRoot, 'apps/server/bin/own-node.js'), 'utf8');
    const [, packaged = ''] = /packaged = '(.*)'/.exec(ownNode) ?? [];
    expect(new Set(Object.values(nodeDependencies))).to.deep.equal(new Set([packaged]));
    for (const name of Object.keys(nodeDependencies)) expect(ownNode).to.contain(`'${name}'`);
    const named = targets.flatMap(({ node }) => node ?? []);
    expect(named.toSorted()).to.deep.equal(Object.keys(nodeDependencies).toSorted());
    const { shipped } = JSON.parse(readFileSync(join(workspaceRoot, 'tools/packaging/node-releases.json'), 'utf8')) as {
      shipped: string;
    };
    expect(shipped).to.equal(packaged);
  });

  it('complaints() reports a newer Node that npm provides for all platforms, and a missing security release', () => {
    const published = new Map([
      ['a', ['26.9.0', '26.10.0', '26.11.0', '27.0.0']],
      ['b', ['26.10.0', '26.11.0', '26.12.0']],
    ]);
    const index = [
      { version: 'v26.12.0', security: true },
      { version: 'v26.11.0', security: false },
      { version: 'v26.9.0', security: true },
    ];
    const releases = newerReleases('26.10.0', published, index);
    expect(releases).to.deep.equal([
      { version: '26.11.0', security: false, packages: ['a', 'b'] },
      { version: '26.12.0', security: true, packages: ['b'] },
    ]);
    expect(newestForAll(releases, ['a', 'b'])).to.equal('26.11.0');
    expect(complaints({ shipped: '26.10.0', checked: '', releases }, ['a', 'b'])).to.deep.equal([
      'Node 26.11.0 is available for all platforms: set it in package.json and own-node.js',
      'Node 26.10.0 lacks the fixes of the security releases 26.12.0',
    ]);
    expect(
      complaints({ shipped: '26.12.0', checked: '', releases: newerReleases('26.12.0', published, index) }, ['a', 'b']),
    ).to.deep.equal([]);
    expect(newerReleases('26.11.0', published, null)).to.deep.equal([
      { version: '26.12.0', security: null, packages: ['b'] },
    ]);
  });

  it('writeImage applies the Dockerfile settings and produces a digest that depends only on the files', function () {
    if (process.platform !== 'linux') this.skip();
    const root = join(home.folder, 'root');
    for (const folder of ['usr/bin', 'data', 'config']) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'usr/bin/sluice'), 'program');
    const digests = ['one', 'two'].map((name) => {
      const archive = join(home.folder, `${name}.tar`);
      cpSync(root, join(home.folder, name), { recursive: true });
      packImageRoot(join(home.folder, name), archive);
      return writeImage(
        [
          { arch: 'x64', archive },
          { arch: 'arm64', archive },
        ],
        join(home.folder, `${name}-image.tar`),
        '0.1.0',
      );
    });
    expect(digests[0])
      .to.match(/^sha256:[0-9a-f]{64}$/)
      .and.equal(digests[1]);
    const layout = join(home.folder, 'layout');
    mkdirSync(layout);
    execFileSync('tar', ['-xf', join(home.folder, 'one-image.tar'), '-C', layout]);
    const blob = (digest: string): unknown =>
      JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8'));
    const { manifests } = blob(digests[0] ?? '') as {
      readonly manifests: readonly { readonly digest: string; readonly platform: object }[];
    };
    expect(manifests.map(({ platform }) => platform)).to.deep.equal([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux' },
    ]);
    const { config } = blob(manifests[0]?.digest ?? '') as { readonly config: { readonly digest: string } };
    expect((blob(config.digest) as { readonly config: object }).config).to.deep.include({
      User: '65532:65532',
      Entrypoint: ['/usr/bin/sluice'],
      Cmd: ['run', '--config', '/etc/sluice/Caddyfile'],
      StopSignal: 'SIGTERM',
      Volumes: { '/data': {}, '/config': {} },
    });
  });

  it('makeExtension includes the library of the extension and the licenses', async () => {
    const files = unzipSync(readFileSync(await makeExtension(home.folder, '0.1.0')));
    const text = (name: string): string => Buffer.from(files[name] ?? []).toString();
    expect(Object.keys(files)).to.include.members([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE',
    ]);
    expect(text('extension.vsixmanifest')).to.contain('Id="sluice-vscode" Version="0.1.0" Publisher="sluice"');
    expect(JSON.parse(text('extension/package.json'))).to.not.have.property('dependencies');
    expect(text('extension/THIRD-PARTY-LICENSES.txt')).to.contain('vscode-languageclient');
    const required = [...text('extension/extension.js').matchAll(/\brequire\([`"']([^`"']+)[`"']\)/g)].map(
      ([, name = '']) => name,
    );
    expect(required.filter((name) => name !== 'vscode' && !isBuiltin(name))).to.deep.equal([]);
  });

  it('the install script verifies checksums', function () {
    if (process.platform === 'win32') this.skip();
    const script = join(home.folder, 'install.sh');
    writeFileSync(
      script,
      readFileSync(join(workspaceRoot, 'tools/packaging/install.sh'), 'utf8').replaceAll('@VERSION@', '0.1.0'),
    );
    const mirror = join(home.folder, 'mirror');
    const target =
      targets.find((each) => each.platform === process.platform && each.arch === process.arch && !each.isMusl)?.id ??
      '';
    const name = `sluice-0.1.0-${target}`;
    mkdirSync(join(mirror, name), { recursive: true });
    writeFileSync(join(mirror, name, 'sluice'), '#!/bin/sh\necho v0.1.0\n', { mode: 0o755 });
    execFileSync('tar', ['-czf', `${name}.tar.gz`, name], { cwd: mirror });
    const directory = join(home.folder, 'installed');
    const env = { ...environmentOf(home.folder), SLUICE_BASE_URL: `file://${mirror}`, SLUICE_INSTALL_DIR: directory };
    const install = (): { status: number | null; stderr: string; stdout: string } =>
      spawnSync('sh', [script], { env, encoding: 'utf8' });
    writeFileSync(join(mirror, 'SHA256SUMS'), `${'0'.repeat(64)}  ${name}.tar.gz\n`);
    expect(install().stderr).to.contain(`checksum mismatch for ${name}.tar.gz`);
    expect(existsSync(directory)).to.equal(false);
    const [sum = ''] = execFileSync('sha256sum', [`${name}.tar.gz`], { cwd: mirror, encoding: 'utf8' }).split(' ');
    writeFileSync(join(mirror, 'SHA256SUMS'), `${sum}  ${name}.tar.gz\n`);
    expect(install()).to.include({ status: 0 }).and.property('stdout').to.contain('installed v0.1.0');
  });

  it('the Grafana dashboard is up to date and queries existing metrics', () => {
    const written = JSON.parse(readFileSync(join(workspaceRoot, 'docs/guide/grafana/sluice.json'), 'utf8')) as object;
    expect(written).to.deep.equal(JSON.parse(JSON.stringify(dashboard)));
    const reference = readFileSync(join(workspaceRoot, 'docs/reference/metrics.md'), 'utf8');
    const known = new Set([...reference.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name));
    const queries = JSON.stringify(dashboard.panels).match(/\b(?:caddy|sluice|process|nodejs)_\w+/g) ?? [];
    expect(queries).to.have.length.above(10);
    for (const name of queries) expect(known).to.include(name.replace(/_(?:bucket|count|sum)$/, ''));
  });

  describe('sluice on a machine with an old Node', () => {
    const machine = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !/node_modules/.test(each));
    const path = machine.join(delimiter);
    const old =
      Number.parseInt(
        spawnSync('node', ['--version'], { env: { PATH: path }, encoding: 'utf8' }).stdout?.slice(1) ?? '',
        10,
      ) < 24;
    const start = (more: NodeJS.ProcessEnv): string => {
      const folder = join(home.folder, 'old');
      mkdirSync(join(folder, 'dist'), { recursive: true });
      cpSync(join(workspaceRoot, 'apps/server/bin'), join(folder, 'bin'), { recursive: true });
      writeFileSync(join(folder, 'dist/main.js'), '');
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const env = { ...environmentOf(home.folder), PATH: path, ...more };
      const { status, stderr } = spawnSync('node', [join(folder, 'bin/sluice.js'), 'version'], {
        env,
        encoding: 'utf8',
        timeout: 30_000,
      });
      expect(status).to.equal(1);
      return stderr;
    };

    it('sluice suggests a solution if a newer Node cannot be saved to disk', function () {
      if (!old) this.skip();
      expect(start({ XDG_DATA_HOME: '/dev/null/x' }))
        .to.contain('a newer one cannot be stored')
        .and.contain('install Node 24 or later');
    });

    it('sluice suggests a solution if a newer Node cannot be downloaded, and soon stops retrying', function () {
      if (!old) this.skip();
      expect(start({ npm_config_registry: 'http://127.0.0.1:1' })).to.contain(
        'a newer one cannot be fetched: npm failed',
      );
    });
  });
});
