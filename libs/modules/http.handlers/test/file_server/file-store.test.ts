import { chmodSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { disk } from '@sluice/http-app';
import type { TestServer } from '@sluice/testing';
import { FileStore, storeOf, type StoredFile } from '../../src/file_server/file-store.ts';
import { changed, Site } from './site.ts';

describe('http.handlers.file_server file cache', () => {
  let site: Site;
  let server: TestServer;
  before(async () => {
    site = new Site({});
    server = await site.serve();
  });
  after(async () => {
    await server.close();
    site.remove();
  });
  const textOf = async (path: string): Promise<string> => {
    const response = await server.request(path);
    return response.status === 200 ? response.text : String(response.status);
  };

  it('file_server serves every file change immediately', async () => {
    const file = join(site.root, 'c.txt');
    for (let i = 0; i < 300; i++) {
      const text = `version ${i % 2}${i % 7 === 0 ? ' longer' : ''}`;
      writeFileSync(file, text);
      expect(await textOf('/c.txt')).to.equal(text);
    }
  });

  it('file_server detects a change that preserves the modification time and size', async () => {
    site.write('d.txt', 'one');
    await sleep(80);
    expect(await textOf('/d.txt')).to.equal('one');
    expect(await textOf('/d.txt')).to.equal('one');
    writeFileSync(join(site.root, 'd.txt'), 'two');
    utimesSync(join(site.root, 'd.txt'), changed, changed);
    expect(await textOf('/d.txt')).to.equal('two');
  });

  it('file_server serves a replacement file, and returns 404 after the file is deleted', async () => {
    site.write('e.txt', 'one');
    site.write('f.txt', 'two');
    await sleep(80);
    expect(await textOf('/e.txt')).to.equal('one');
    renameSync(join(site.root, 'f.txt'), join(site.root, 'e.txt'));
    expect(await textOf('/e.txt')).to.equal('two');
    unlinkSync(join(site.root, 'e.txt'));
    expect(await textOf('/e.txt')).to.equal('404');
  });

  it('the file cache keeps the content type of a file', async () => {
    site.write('t.css', 'css');
    await sleep(80);
    const path = join(site.root, 't.css');
    for (let i = 0; i < 2; i++) await textOf('/t.css');
    expect(storeOf(disk).find(path, statSync(path))?.contentType).to.equal('text/css; charset=utf-8');
  });

  it('the file cache stores large files after the second request, and detects changes of these files', async () => {
    const [one, two] = ['1', '2'].map((digit) => digit.repeat(900_000)) as [string, string];
    const path = join(site.root, 'l.txt');
    const inMemory = (): boolean => storeOf(disk).find(path, statSync(path))?.content?.length === one.length;
    site.write('l.txt', one);
    await sleep(80);
    const seen: boolean[] = [];
    for (let i = 0; i < 4; i++) {
      expect(await textOf('/l.txt')).to.equal(one);
      seen.push(inMemory());
    }
    expect(seen).to.deep.equal([false, true, true, true]);
    site.write('l.txt', two);
    for (let i = 0; i < 4; i++) expect(await textOf('/l.txt')).to.equal(two);
  });

  it('file_server serves medium-sized files unchanged', async () => {
    const [one, two] = ['1', '2'].map((digit) => digit.repeat(150_000)) as [string, string];
    site.write('m.txt', one);
    await sleep(80);
    for (let i = 0; i < 3; i++) expect(await textOf('/m.txt')).to.equal(one);
    site.write('m.txt', two);
    expect(await textOf('/m.txt')).to.equal(two);
  });

  it('the file cache does not serve files that are no longer readable', async function () {
    if (process.getuid?.() === 0) this.skip();
    site.write('g.txt', 'one');
    await sleep(80);
    expect(await textOf('/g.txt')).to.equal('one');
    chmodSync(join(site.root, 'g.txt'), 0);
    expect(await textOf('/g.txt')).to.equal('403');
  });

  it('the file cache stores a file that has not changed recently', async () => {
    site.write('h.txt', 'text');
    await sleep(80);
    const path = join(site.root, 'h.txt');
    const store = new FileStore();
    const opened = disk.open(path);
    const file = store.load(path, opened);
    opened.close();
    expect(file.content?.toString()).to.equal('text');
    expect(store.find(path, statSync(path))).to.equal(file);
  });

  it('the file cache does not store a file that has just changed', () => {
    const path = join(site.root, 'i.txt');
    // The machine may be too slow, so the test retries.
    for (let attempt = 0; attempt < 20; attempt++) {
      const before = Date.now();
      site.write('i.txt', `text ${attempt}`);
      const store = new FileStore();
      const opened = disk.open(path);
      expect(store.load(path, opened).content?.toString()).to.equal(`text ${attempt}`);
      opened.close();
      if (Date.now() - before > 40) continue;
      expect(store.find(path, statSync(path))).to.equal(null);
      return;
    }
    expect.fail('this machine is too slow');
  });

  it('the file cache limits the total size of concurrent file loads to half of its size limit', async () => {
    const size = 300_000;
    for (const name of ['a', 'b', 'c']) site.write(`large/${name}.txt`, 'x'.repeat(size));
    await sleep(80);
    const store = new FileStore(4 * size);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => {
      const path = join(site.root, `large/${name}.txt`);
      const opened = disk.open(path);
      store.load(path, opened);
      opened.close();
      return store.find(path, statSync(path));
    }) as [StoredFile, StoredFile, StoredFile];
    expect([a, b, c].map((file) => store.collects(file))).to.deep.equal([true, true, false]);
    store.collected(a, null, 0);
    expect([a, c].map((file) => store.collects(file))).to.deep.equal([true, false]);
    store.collected(a, Buffer.alloc(size), Date.now());
    expect(a.content?.length).to.equal(size);
    expect([a, c].map((file) => store.collects(file))).to.deep.equal([false, true]);
  });

  it('the file cache respects its size limit and keeps frequently requested files', async () => {
    const content = 'x'.repeat(60_000);
    for (let i = 0; i < 20; i++) site.write(`many/${i}.txt`, content);
    await sleep(80);
    const store = new FileStore(10 * 64 * 1024);
    const pathOf = (i: number): string => join(site.root, `many/${i}.txt`);
    const load = (i: number): void => {
      const opened = disk.open(pathOf(i));
      store.load(pathOf(i), opened);
      opened.close();
    };
    const has = (i: number): boolean => store.find(pathOf(i), statSync(pathOf(i))) !== null;
    for (let i = 0; i < 20; i++) {
      load(i);
      has(0);
    }
    const kept = Array.from({ length: 20 }, (_, i) => i).filter(has);
    expect(kept.length).to.be.within(5, 10);
    expect(kept).to.include(0);
    expect(kept).to.include(19);
  });
});
