import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { disk, isFolder, isLink, isPlainFile } from '@sluice/http-app';

describe('disk', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'));
    writeFileSync(join(folder, 'a.txt'), 'content');
    utimesSync(join(folder, 'a.txt'), 1_600_000_000.123_456, 1_600_000_000.123_456);
    mkdirSync(join(folder, 'd'));
    symlinkSync('a.txt', join(folder, 'link'));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x78])]), 'odd');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('disk.stat distinguishes files, directories and missing paths', () => {
    const kindOf = (name: string): boolean[] => {
      const facts = disk.stat(join(folder, name));
      return facts === null ? [] : [isPlainFile(facts), isFolder(facts), isLink(facts)];
    };
    expect(kindOf('a.txt')).to.deep.equal([true, false, false]);
    expect(kindOf('d')).to.deep.equal([false, true, false]);
    expect(kindOf('link')).to.deep.equal([true, false, false]);
    expect(disk.stat(join(folder, 'none'))).to.equal(null);
    expect(disk.stat(join(folder, 'a.txt/none'))).to.equal(null);
    expect(() => disk.stat(join(folder, 'n'.repeat(300))))
      .to.throw()
      .with.property('code', 'ENAMETOOLONG');
  });

  it('disk.stat returns the same result for a path and its open file', () => {
    const path = join(folder, 'a.txt');
    const file = disk.open(path);
    const { mode, size, mtimeMs, ctimeMs, ino } = statSync(path);
    expect(file.facts).to.deep.equal({ mode, size, mtimeMs, ctimeMs, ino });
    expect(file.mtimeNs / 1_000_000n).to.equal(1_600_000_000_123n);
    file.close();
  });

  it('disk.read reads from any file position', async () => {
    const file = disk.open(join(folder, 'a.txt'));
    const buffer = Buffer.alloc(100);
    expect(await file.read(buffer, 3, 2)).to.equal(3);
    expect(buffer.toString('utf8', 0, 3)).to.equal('nte');
    expect(await file.read(buffer, 100, 5)).to.equal(2);
    expect(await file.read(buffer, 100, 7)).to.equal(0);
    file.close();
    const large = Buffer.alloc(200_000);
    writeFileSync(join(folder, 'large'), large.fill('x'));
    const other = disk.open(join(folder, 'large'));
    const target = Buffer.alloc(200_000);
    expect(await other.read(target, 200_000, 0)).to.equal(200_000);
    expect(target.equals(large)).to.equal(true);
    other.close();
  });

  it('disk.list returns entries unchanged, including names with arbitrary bytes', async () => {
    const entries = new Map((await disk.list(folder, 100)).map((entry) => [entry.name, entry]));
    expect([...entries.keys()]).to.include.members(['a.txt', 'd', 'link', '\udcffx']);
    expect([...entries.values()].filter(({ facts }) => isLink(facts)).map(({ name }) => name)).to.deep.equal(['link']);
    expect(entries.get('a.txt')?.facts.size).to.equal(7);
    expect(entries.get('a.txt')?.mtimeNs.toString()).to.match(/^1600000000123\d{6}$/);
    expect(disk.stat(join(folder, '\udcffx'))?.size).to.equal(3);
    expect(await disk.list(folder, 2)).to.have.lengthOf(2);
    expect(disk.readLink(join(folder, 'link'))).to.equal('a.txt');
  });
});
