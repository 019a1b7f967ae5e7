import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { Registry } from '@sluice/registry';
import { Runtime, storageSection } from '@sluice/reconciler';
import { safeSegment, storageToken } from '@sluice/contracts';
import { silentLogger } from '@sluice/base';
import { FileStorage, register } from '@sluice/caddy.storage';

describe('caddy.storage.file_system', () => {
  let root: string;
  let storage: FileStorage;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sluice-storage-'));
    storage = new FileStorage(join(root, 'data'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('FileStorage returns stored values, and the files are readable only by their owner', async () => {
    await storage.store('a/b/c.crt', 'one');
    await storage.store('a/b/c.crt', Buffer.from('two'));
    expect(String(await storage.load('a/b/c.crt'))).to.equal('two');
    expect((await stat(join(root, 'data/a/b/c.crt'))).mode & 0o777).to.equal(0o600);
    for (const folder of ['data', 'data/a', 'data/a/b'])
      expect((await stat(join(root, folder))).mode & 0o777, folder).to.equal(0o700);
  });

  it('FileStorage reads many values concurrently, including missing and unreadable values', async () => {
    for (let i = 0; i < 30; i++) await storage.store(`values/${i}`, String(i));
    const keys = Array.from({ length: 90 }, (_, i) =>
      i % 3 === 0 ? `values/${i / 3}` : i % 3 === 1 ? 'none' : 'values',
    );
    const read = await Promise.all(keys.map((key) => storage.load(key).then(String, () => 'refused')));
    expect(read).to.deep.equal(keys.map((_, i) => (i % 3 === 0 ? String(i / 3) : i % 3 === 1 ? 'null' : 'refused')));
  });

  it('FileStorage reports missing values', async () => {
    await storage.store('a/b', 'x');
    for (const key of ['none', 'a/none', 'a/b/below-a-value']) {
      expect(await storage.load(key), key).to.equal(null);
      expect(await storage.stat(key), key).to.equal(null);
      expect(await storage.exists(key), key).to.equal(false);
      await storage.delete(key);
    }
    expect(await storage.list('none')).to.deep.equal([]);
    expect(String(await storage.load('a/b'))).to.equal('x');
  });

  it('FileStorage lists a directory, optionally recursively, and excludes locks and temporary files', async () => {
    for (const key of ['a/one', 'a/sub/two', 'b']) await storage.store(key, 'x');
    await writeFile(join(root, 'data/a/.one.123.tmp'), 'half');
    const lock = await storage.lock('a');
    expect(await storage.list('')).to.deep.equal(['a', 'b']);
    expect(await storage.list('a')).to.deep.equal(['a/one', 'a/sub']);
    expect(await storage.list('', true)).to.deep.equal(['a/one', 'a/sub/two', 'b']);
    await lock.release();
  });

  it('FileStorage distinguishes values from directories', async () => {
    await storage.store('a/one', 'abc');
    expect(await storage.stat('a/one')).to.include({ key: 'a/one', size: 3, terminal: true });
    expect(await storage.stat('a')).to.include({ key: 'a', size: 0, terminal: false });
  });

  it('FileStorage removes a key recursively', async () => {
    for (const key of ['a/one', 'a/sub/two', 'ab']) await storage.store(key, 'x');
    await storage.delete('a');
    expect(await storage.list('', true)).to.deep.equal(['ab']);
  });

  it('FileStorage readers see either the old or the new value, never a partial value', async () => {
    const values = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000));
    await storage.store('k', values[0] as string);
    const progress = { done: false };
    const writes = (async () => {
      for (let i = 0; i < 12; i++) await storage.store('k', values[i % 3] as string);
      progress.done = true;
    })();
    const seen = new Set<string>();
    while (!progress.done) seen.add(String(await storage.load('k')));
    await writes;
    for (const value of seen) expect(values.includes(value)).to.equal(true);
    expect(await readdir(join(root, 'data'))).to.deep.equal(['k']);
  });

  it('FileStorage leaves no temporary files behind if a value cannot be renamed into place', async () => {
    await storage.store('folder/one', 'x');
    const failure = await storage.store('folder', 'a folder is there').catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    expect(await readdir(join(root, 'data'))).to.deep.equal(['folder']);
  });

  // Attack in docs/security.md: Storage keys with path traversal.
  it('FileStorage rejects keys with path traversal', async () => {
    for (const key of [
      '',
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a//b',
      'a/.',
      'a\\b',
      'a\0',
      'locks',
      'locks/a.lock',
      'a/.x.tmp',
    ]) {
      const failure = await storage.store(key, 'x').catch((error: unknown) => error);
      expect(failure, key).to.include({ code: 'ERR_STORAGE_KEY' });
      for (const read of [storage.load(key), storage.delete(key), storage.stat(key), storage.exists(key)])
        expect(await read.catch((error: unknown) => error), key).to.include({ code: 'ERR_STORAGE_KEY' });
    }
  });

  it('FileStorage does not remove held locks when it removes a key', async () => {
    const lock = await storage.lock('name');
    await storage.delete('locks').catch(() => {});
    expect(await readdir(join(root, 'data/locks'))).to.include('name.lock');
    expect(lock.lost.aborted).to.equal(false);
    await lock.release();
  });

  it('FileStorage keeps the old value and leaves no partial file if the disk is full', async function () {
    const small = join(root, 'small');
    await mkdir(small);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status !== 0) this.skip();
    try {
      const full = new FileStorage(small);
      await full.store('a/key', 'old');
      const failure = await full.store('a/key', 'x'.repeat(100_000)).catch((error: unknown) => error);
      expect(failure).to.include({ code: 'ENOSPC' });
      expect(String(await full.load('a/key'))).to.equal('old');
      expect(await readdir(join(small, 'a'))).to.deep.equal(['key']);
      await full.store('a/key', 'new');
      expect(String(await full.load('a/key'))).to.equal('new');
    } finally {
      spawnSync('umount', ['-l', small]);
    }
  });

  it('FileStorage locks prevent lost updates when several processes share a directory', async function () {
    this.timeout(30_000);
    const times = 10;
    const program = fileURLToPath(new URL('./counting-process.ts', import.meta.url));
    const run = (): Promise<number | null> =>
      new Promise((resolve) =>
        spawn(process.execPath, [program, join(root, 'data'), String(times)], {
          stdio: ['ignore', 'ignore', 'inherit'],
        }).once('exit', resolve),
      );
    expect(await Promise.all([run(), run()])).to.deep.equal([0, 0]);
    expect(String(await storage.load('counter'))).to.equal(String(2 * times));
    expect(await readdir(join(root, 'data/locks'))).to.deep.equal([]);
  });

  it('FileStorage stores values under path segments derived from arbitrary strings', async () => {
    const texts = ['', '.', '..', '...', '*.example.com', 'a/../b', 'Ü', '%2E', '%', 'con\0'];
    for (const text of texts) await storage.store(`p/${safeSegment(text)}`, text);
    for (const text of texts) expect(String(await storage.load(`p/${safeSegment(text)}`))).to.equal(text);
    expect(await storage.list('p')).to.have.length(texts.length);
    expect(await storage.list('')).to.deep.equal(['p']);
  });

  it('FileStorage maps different segments to different files', () => {
    const text = fc.string({ unit: fc.constantFrom('.', '%', '2', 'E', '/', 'é', '*'), maxLength: 5 });
    fc.assert(fc.property(text, text, (a, b) => (safeSegment(a) === safeSegment(b)) === (a === b)));
  });

  it('FileStorage can be used in the storage section of a configuration', async () => {
    const registry = new Registry().addSection(storageSection).use(register);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
    runtime.commit(await runtime.prepare({ storage: { module: 'file_system', root: join(root, 'chosen') } }));
    await runtime.app(storageToken)?.store('k', 'v');
    expect(await readFile(join(root, 'chosen/k'), 'utf8')).to.equal('v');
    const failure = await runtime.prepare({ storage: { module: 'none' } }).catch((error: unknown) => error);
    expect(String(failure)).to.contain('caddy.storage.none');
    await runtime.close();
  });
});
