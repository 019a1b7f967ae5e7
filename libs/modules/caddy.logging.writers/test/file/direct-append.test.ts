import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { LogOutput } from '@sluice/contracts';
import { openFile } from './open.ts';

/** Returns lines of different lengths that exceed 64 KiB in total. */
function burst(number: number): string[] {
  return Array.from({ length: 700 }, (_, i) => `${number}.${i} ${'x'.repeat((i * 37) % 331)}`);
}

function write(output: LogOutput, lines: readonly string[]): void {
  for (const line of lines) output.write(`${line}\n`, 1);
}

/** Writes lines. Waits until the file contains them and all lines written since the last call. */
async function writeWhole(
  output: LogOutput,
  lines: readonly string[],
  path: string,
  others: readonly (readonly string[])[] = [],
): Promise<void> {
  const size = statSync(path).size + [lines, ...others].flat().reduce((sum, line) => sum + line.length + 1, 0);
  write(output, lines);
  for (let i = 0; i < 2000 && statSync(path).size < size; i++) await sleep(5);
  expect(statSync(path).size).to.equal(size);
}

/** Returns the end offset of this process's last direct write to a file, or -1 if there was none. */
function endOfDirect(path: string): number {
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`) !== path) continue;
      const facts = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
      const flags = Number.parseInt(/flags:\s*(\d+)/.exec(facts)?.[1] ?? '0', 8);
      if ((flags & constants.O_DIRECT) !== 0) return Number(/pos:\s*(\d+)/.exec(facts)?.[1]);
    } catch {
      // The socket has been closed in the meantime.
    }
  }
  return -1;
}

/** Reports whether the operating system and the directory's file system support direct I/O. */
function isPossible(folder: string): boolean {
  if (constants.O_DIRECT === undefined) return false;
  try {
    closeSync(openSync(join(folder, 'probe'), constants.O_WRONLY | constants.O_CREAT | constants.O_DIRECT));
    return true;
  } catch {
    return false;
  }
}

describe('caddy.logging.writers.file with direct I/O', () => {
  let folder = '';
  let path = '';
  beforeEach(function () {
    folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
    path = join(folder, 'a.log');
    if (!isPossible(folder)) this.skip();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const before of [0, 1, 4095, 4096, 5000]) {
    it(`the file writer with direct I/O bypasses the page cache for large batches after ${before} bytes`, async () => {
      const start = 'y'.repeat(before);
      writeFileSync(path, start);
      const { output, logged } = await openFile({ filename: path, direct: true });
      for (let i = 0; i < 5; i++) {
        await writeWhole(output, burst(i), path);
        expect(endOfDirect(path)).to.equal(statSync(path).size & -4096);
      }
      await output.close();
      expect(endOfDirect(path)).to.equal(-1);
      const lines = [0, 1, 2, 3, 4].flatMap(burst);
      expect(readFileSync(path, 'utf8') === `${start}${lines.join('\n')}\n`).to.equal(true);
      expect(logged).to.deep.equal([]);
    });
  }

  it('the file writer uses the page cache for large batches by default', async () => {
    const { output } = await openFile({ filename: path });
    for (let i = 0; i < 3; i++) {
      await writeWhole(output, burst(i), path);
      expect(endOfDirect(path)).to.equal(-1);
    }
    await output.close();
    expect(readFileSync(path, 'utf8') === `${[0, 1, 2].flatMap(burst).join('\n')}\n`).to.equal(true);
  });

  it('the file writer uses the page cache for small batches, and for batches too large for a slow device', async () => {
    const { output } = await openFile({ filename: path, direct: true });
    const much = Array.from({ length: 100 }, burst).flat();
    await writeWhole(output, ['one'], path);
    const chunk = `${much.join('\n')}\n`;
    output.write(chunk, much.length);
    for (let i = 0; i < 2000 && statSync(path).size < chunk.length + 4; i++) await sleep(5);
    expect(endOfDirect(path)).to.equal(-1);
    await output.close();
    expect(readFileSync(path, 'utf8') === `one\n${chunk}`).to.equal(true);
  });

  it('the file writer does not use direct I/O for special files', async function () {
    if (spawnSync('mkfifo', [path]).status !== 0) this.skip();
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const text = reader.stdout.setEncoding('utf8').toArray() as Promise<string[]>;
    const { output } = await openFile({ filename: path, direct: true, roll: false });
    write(output, burst(0));
    await output.close();
    expect((await text).join('') === `${burst(0).join('\n')}\n`).to.equal(true);
  });

  it('the file writer does not use direct I/O after another process has appended', async () => {
    const { output } = await openFile({ filename: path, direct: true });
    await writeWhole(output, burst(0), path);
    expect(endOfDirect(path)).to.be.greaterThan(0);
    appendFileSync(path, 'foreign\n');
    await writeWhole(output, burst(1), path);
    for (let i = 2; i < 20; i++) {
      write(output, burst(i));
      for (let turn = 0; turn < 20; turn++) {
        appendFileSync(path, 'foreign\n');
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await output.close();
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    expect(lines.filter((line) => line === 'foreign')).to.have.length(1 + 18 * 20);
    expect(lines.filter((line) => line !== 'foreign')).to.deep.equal(
      Array.from({ length: 20 }, (_, i) => burst(i)).flat(),
    );
  });

  it('the file writer keeps lines complete if two outputs append to one file, and resumes direct I/O when one is closed', async () => {
    const first = (await openFile({ filename: path, direct: true })).output;
    const second = (await openFile({ filename: path, direct: true, roll_keep: 3 })).output;
    for (let i = 0; i < 20; i += 2) {
      write(first, burst(i));
      await writeWhole(second, burst(i + 1), path, [burst(i)]);
    }
    expect(endOfDirect(path)).to.equal(-1);
    await first.close();
    await writeWhole(second, burst(20), path);
    expect(endOfDirect(path)).to.equal(statSync(path).size & -4096);
    await second.close();
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const byNumber = (a: string, b: string): number => Number.parseFloat(a) - Number.parseFloat(b);
    const all = Array.from({ length: 21 }, (_, i) => burst(i)).flat();
    expect(lines.toSorted(byNumber)).to.deep.equal(all.toSorted(byNumber));
  });

  it('the file writer keeps lines complete if the file is truncated', async () => {
    const { output } = await openFile({ filename: path, direct: true });
    await writeWhole(output, burst(0), path);
    truncateSync(path);
    await writeWhole(output, burst(1), path);
    await writeWhole(output, burst(2), path);
    await output.close();
    expect(readFileSync(path, 'utf8') === `${[1, 2].flatMap(burst).join('\n')}\n`).to.equal(true);
  });

  it('the file writer keeps lines complete if the disk is full, and counts lost lines', async function () {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
    if (mounted.status !== 0) this.skip();
    try {
      const { output, logged } = await openFile({ filename: path, direct: true });
      for (let i = 0; i < 10; i++) {
        write(output, burst(i));
        await sleep(20);
      }
      await output.close();
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      const all = Array.from({ length: 10 }, (_, i) => burst(i)).flat();
      expect(lines.length).to.be.within(2000, 3500);
      expect(lines.every((line) => all.includes(line))).to.equal(true);
      expect(new Set(lines).size).to.equal(lines.length);
      const lost = logged.reduce((sum, { fields }) => sum + (typeof fields.lines === 'number' ? fields.lines : 0), 0);
      expect(lost).to.equal(all.length - lines.length);
    } finally {
      spawnSync('umount', [folder]);
    }
  });
});
