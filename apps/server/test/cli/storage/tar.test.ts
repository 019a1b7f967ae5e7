import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { readTar } from '../../../src/cli/storage/read-tar.ts';
import { tarEnd, tarFile, type TarFile } from '../../../src/cli/storage/write-tar.ts';

const archiveOf = (files: readonly TarFile[]): Buffer => Buffer.concat([...files.map(tarFile), tarEnd]);
const segment = fc.stringMatching(/^[a-zé_%@*.-]{1,40}$/).filter((text) => !/^\.*$/.test(text));
const name = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
const file = fc.record({
  name,
  modified: fc.integer({ min: 0, max: 2 ** 32 }),
  content: fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes)),
});

describe('tar archives', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-tar-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('readTar reads archives of tarFile, with names of any length', () => {
    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), (files) => {
        expect(readTar(archiveOf(files))).to.deep.equal(files);
      }),
    );
  });

  it('readTar rejects truncated archives', () => {
    const whole = archiveOf([{ name: 'a', modified: 0, content: Buffer.from('x'.repeat(600)) }]);
    for (let length = 0; length < 512 * 3 + 512; length += 100)
      expect(() => readTar(whole.subarray(0, length)), String(length)).to.throw(/unexpected end/);
  });

  it('readTar rejects damaged archives', () => {
    const whole = archiveOf([{ name: 'a', modified: 0, content: Buffer.alloc(0) }]);
    whole[0] = 0x62;
    expect(() => readTar(whole)).to.throw(/corrupt/);
    expect(() => readTar(Buffer.alloc(1024, 'x'))).to.throw(/not a tar archive/);
  });

  it('readTar reads archives of the tar program', () => {
    const long = `${'deep/'.repeat(30)}é ${'n'.repeat(60)}.key`;
    const files = [
      { name: 'plain.crt', modified: 1_600_000_000, content: Buffer.from('one') },
      { name: long, modified: 1_600_000_001, content: Buffer.from('two') },
    ];
    writeFileSync(join(folder, 'ours.tar'), archiveOf(files));
    execFileSync('tar', ['xf', 'ours.tar'], { cwd: folder });
    expect(readFileSync(join(folder, long), 'utf8')).to.equal('two');
    const theirs = join(folder, 'theirs');
    mkdirSync(join(theirs, dirname(long)), { recursive: true });
    writeFileSync(join(theirs, 'plain.crt'), 'one');
    writeFileSync(join(theirs, long), 'two');
    for (const format of ['gnu', 'pax']) {
      const args = ['--format', format, '-cf', '-', '-C', theirs, '.'];
      const made = (): TarFile[] => readTar(execFileSync('tar', args, { stdio: ['ignore', 'pipe', 'ignore'] }));
      const read = made().map((each) => [each.name.replace('./', ''), each.content.toString()] as const);
      expect(Object.fromEntries(read), format).to.deep.equal({ 'plain.crt': 'one', [long]: 'two' });
    }
  });
});
