import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { LogEntry } from '@sluice/base';
import { openFile } from './open.ts';

const lost = (entries: readonly LogEntry[]): number =>
  entries.reduce((sum, { fields }) => sum + (typeof fields.lines === 'number' ? fields.lines : 0), 0);

describe('caddy.logging.writers.file on a full disk', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('the file writer reports a full disk periodically, with the number of lost lines', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const { output, logged, aside } = await openFile({ filename: '/dev/full', roll: false });
    for (let i = 0; i < 200; i++) {
      output.write(`line ${i}\n`, 1);
      if (i % 10 === 0) await sleep(2);
    }
    await output.close();
    expect(logged.filter(({ message }) => message === 'cannot write to /dev/full')).to.have.length(1);
    expect(logged.length).to.be.lessThan(5);
    expect(lost(logged)).to.equal(200);
    expect(aside).to.deep.equal([]);
  });

  it('the file writer reports a full disk on standard error if its own log is on this disk', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const { output, aside } = await openFile({ filename: '/dev/full', roll: false }, true);
    output.write('line\n', 1);
    await sleep(50);
    await output.close();
    expect(aside.map(({ message }) => message)).to.include.members([
      'cannot write to /dev/full',
      'log lines dropped for a file',
    ]);
  });

  // Attack in docs/security.md: A full disk.
  it('the file writer keeps lines complete if the disk is full, and resumes when space is available', async function () {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
    if (mounted.status !== 0) this.skip();
    try {
      const path = join(folder, 'a.log');
      const { output, logged } = await openFile({ filename: path });
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(128 * 1024));
      const count = 400;
      for (let i = 0; i < count; i++) {
        output.write(`${i} ${'x'.repeat(997)}\n`, 1);
        if (i % 7 === 0) await sleep(1);
      }
      await sleep(50);
      rmSync(join(folder, 'ballast'));
      output.write('after\n', 1);
      await output.close();
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      expect(lines.at(-1)).to.equal('after');
      expect(lines.slice(0, -1).every((line) => /^\d+ x{997}$/.test(line))).to.equal(true);
      expect(lines.length - 1).to.be.within(50, 130);
      expect(lost(logged)).to.equal(count - (lines.length - 1));
    } finally {
      spawnSync('umount', [folder]);
    }
  });

  it("the file writer keeps writing to a file that can't be rotated", async function () {
    const sub = join(folder, 'sub');
    mkdirSync(sub);
    const { output, logged } = await openFile({ filename: join(sub, 'a.log'), roll_size_mb: 1, roll_gzip: false });
    // Root can rename files in a directory without write permission. However, root cannot rename a mount point.
    const isRoot = process.getuid?.() === 0;
    if (isRoot && spawnSync('mount', ['--bind', join(sub, 'a.log'), join(sub, 'a.log')]).status !== 0) this.skip();
    if (!isRoot) chmodSync(sub, 0o500);
    try {
      for (let i = 0; i < 5; i++) {
        output.write(`${'x'.repeat(1024 * 1024 - 1)}\n`, 1);
        await sleep(20);
      }
      await output.close();
    } finally {
      if (isRoot) spawnSync('umount', [join(sub, 'a.log')]);
      chmodSync(sub, 0o700);
    }
    expect(readdirSync(sub)).to.deep.equal(['a.log']);
    expect(readFileSync(join(sub, 'a.log')).length).to.equal(5 * 1024 * 1024);
    expect(logged.map(({ message }) => message)).to.deep.equal(['failed to rotate log file']);
  });
});
