import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WatchedFiles } from '../../src/process/watched-files.ts';

describe('WatchedFiles', () => {
  let folder: string;
  let files: WatchedFiles;
  const path = (name: string): string => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-watched-'));
    files = new WatchedFiles();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const changes: readonly (readonly [name: string, noted: string, change: () => void])[] = [
    ['a file is written', 'a.conf', () => writeFileSync(path('a.conf'), 'changed')],
    ['a file is removed', 'a.conf', () => rmSync(path('a.conf'))],
    ['a missing file is created', 'none.conf', () => writeFileSync(path('none.conf'), '')],
    ['a file that matches a pattern is written', '*.conf', () => writeFileSync(path('a.conf'), 'changed')],
    ['a file that matches a pattern is created', '*.conf', () => writeFileSync(path('b.conf'), '')],
    ['a file that matches a pattern is removed', '*.conf', () => rmSync(path('a.conf'))],
    ['a file whose name looks like a pattern is written', '[x]/c.conf', () => writeFileSync(path('[x]/c.conf'), '2')],
  ];
  for (const [name, noted, change] of changes) {
    it(`WatchedFiles detects a change when ${name}`, () => {
      writeFileSync(path('a.conf'), 'a');
      mkdirSync(path('[x]'));
      writeFileSync(path('[x]/c.conf'), '');
      files.note(path(noted));
      expect(files.changed).to.equal(false);
      change();
      expect(files.changed).to.equal(true);
      files.clear();
      files.note(path(noted));
      expect(files.changed).to.equal(false);
    });
  }

  it('WatchedFiles keeps the first recorded state of a file when the file is recorded again', () => {
    writeFileSync(path('a.conf'), 'a');
    files.note(path('a.conf'));
    writeFileSync(path('a.conf'), 'changed');
    files.note(path('a.conf'));
    expect(files.changed).to.equal(true);
  });

  it('WatchedFiles ignores a file that does not match the pattern', () => {
    files.note(path('*.conf'));
    writeFileSync(path('a.txt'), '');
    expect(files.changed).to.equal(false);
  });
});
