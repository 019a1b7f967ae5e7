import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { cachedArchive, entriesToInstall, withAddresses } from '../install/lock.mjs';
import { readTar } from '../install/tar.mjs';
import { unpackFromCache } from '../install/unpack.mjs';

const long = `lib/${'deep/'.repeat(40)}file.js`;
const linux = { platform: 'linux', cpu: 'x64', libc: 'glibc' };

describe('workspace script: install', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-install-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Packs a package with tar(1) in the layout that npm uses. */
  function pack(files: Readonly<Record<string, string>>): Buffer {
    const folder = join(root, 'packed/package');
    rmSync(folder, { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 });
    }
    return execFileSync('tar', ['--format=pax', '-c', '-C', join(root, 'packed'), 'package']);
  }

  it('readTar yields files with long paths, empty files and the executable bit', () => {
    const files = [...readTar(pack({ 'bin/run': 'x', [long]: 'y'.repeat(1000), empty: '' }))];
    const read = files.map(({ path, executable, content }) => [path, executable, content.length]);
    expect(read.sort()).to.deep.equal([
      ['bin/run', true, 1],
      ['empty', false, 0],
      [long, false, 1000],
    ]);
  });

  it('readTar rejects a truncated archive and a path outside the package', () => {
    const archive = pack({ a: 'x'.repeat(2000) });
    const end = archive.indexOf('x'.repeat(2000));
    expect(() => [...readTar(archive.subarray(0, end + 1000))]).to.throw('truncated');
    archive.write('package/../a', archive.indexOf('package/a'));
    expect(() => [...readTar(archive)]).to.throw('is outside the package');
  });

  it('entriesToInstall omits development packages and packages for other platforms, including their nested packages', () => {
    const packages = {
      '': {},
      'libs/a': { version: '1.0.0' },
      'node_modules/@own/a': { link: true, resolved: 'libs/a' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/dev': { version: '1.0.0', dev: true },
      'node_modules/mac': { version: '1.0.0', os: ['darwin'] },
      'node_modules/mac/node_modules/c': { version: '1.0.0' },
      'node_modules/musl': { version: '1.0.0', os: ['linux'], libc: ['musl'] },
      'node_modules/not-windows': { version: '1.0.0', os: ['!win32'] },
    };
    const paths = (withDev: boolean): string[] => entriesToInstall(packages, withDev, linux).map(([path]) => path);
    const run = ['node_modules/@own/a', 'node_modules/b', 'node_modules/not-windows'];
    expect(paths(false)).to.deep.equal(run);
    expect(paths(true)).to.have.members([...run, 'node_modules/dev']);
  });

  it('withAddresses adds the archive name to each package, including scoped and renamed packages', () => {
    const packages = {
      'node_modules/@s/a': { version: '1.0.0' },
      'node_modules/x/node_modules/b': { version: '2.0.0', name: '@t/c' },
      'node_modules/own': { link: true, resolved: 'libs/own' },
    };
    const resolved = Object.values(withAddresses({ packages }).packages).map((entry) => entry.resolved);
    expect(resolved).to.deep.equal([
      'https://registry/@s/a/-/a-1.0.0.tgz',
      'https://registry/@t/c/-/c-2.0.0.tgz',
      'libs/own',
    ]);
  });

  describe('workspace script: unpackFromCache', () => {
    const cache = (): string => join(root, 'cache');
    /** Creates a workspace. Its lockfile contains one workspace package and one archive that is in the cache. */
    function workspace(): string {
      const archive = gzipSync(pack({ 'package.json': '{"name":"tool"}', 'bin/tool': '#!', [long]: '' }));
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
      const file = cachedArchive(cache(), integrity);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, archive);
      const packages = {
        'apps/own': { version: '1.0.0', bin: { own: 'bin/own.js' } },
        'node_modules/@s/own': { link: true, resolved: 'apps/own' },
        'node_modules/tool': { version: '1.0.0', integrity, bin: { tool: 'bin/tool' } },
      };
      writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
      return file;
    }

    it('unpackFromCache unpacks archives and links packages and commands', async () => {
      workspace();
      expect(await unpackFromCache(root, false, cache())).to.equal(true);
      const modules = join(root, 'node_modules');
      expect(readFileSync(join(modules, 'tool/package.json'), 'utf8')).to.equal('{"name":"tool"}');
      expect(existsSync(join(modules, 'tool', long))).to.equal(true);
      expect(statSync(join(modules, '.bin/tool')).mode & 0o111).to.equal(0o111);
      expect(readlinkSync(join(modules, '@s/own'))).to.equal('../../apps/own');
      expect(readlinkSync(join(modules, '.bin/own'))).to.equal('../@s/own/bin/own.js');
    });

    it('unpackFromCache writes a lock file with the checksums of installed packages to node_modules', async () => {
      workspace();
      await unpackFromCache(root, false, cache());
      const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
      expect(read('node_modules/.package-lock.json')).to.deep.equal(read('package-lock.json'));
    });

    it('unpackFromCache cleans up if an archive is missing or damaged, so that npm installs the packages instead', async () => {
      const file = workspace();
      const archive = readFileSync(file);
      writeFileSync(file, gzipSync('another'));
      expect(await unpackFromCache(root, false, cache()), 'damaged').to.equal(false);
      expect(existsSync(join(root, 'node_modules/tool'))).to.equal(false);
      rmSync(file);
      expect(await unpackFromCache(root, false, cache()), 'missing').to.equal(false);
      writeFileSync(file, archive);
      expect(await unpackFromCache(root, false, cache()), 'repaired').to.equal(true);
    });
  });
});
