import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { LogOutput } from '@sluice/contracts';
import { openFile, refusal } from './open.ts';

const open = async (options: Readonly<Record<string, unknown>>): Promise<LogOutput> => (await openFile(options)).output;

function linesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(Boolean);
  });
}

describe('caddy.logging.writers.file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const expected = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i} ${'x'.repeat(100)}`);
  const inOrder = (lines: string[]): string[] =>
    lines.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

  for (const compression of ['gzip', 'none']) {
    it(`the file writer writes every line once across many rotations (${compression})`, async function () {
      this.timeout(20_000);
      const output = await open({
        filename: join(folder, 'sub', 'a.log'),
        roll_size_mb: 1,
        roll_compression: compression,
        roll_keep: 100,
      });
      const count = 60_000;
      for (const [i, line] of expected(count).entries()) {
        output.write(`${line}\n`, 1);
        if (i % 5000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await output.close();
      expect(readdirSync(join(folder, 'sub')).length).to.be.greaterThan(5);
      expect(inOrder(linesIn(join(folder, 'sub')))).to.deep.equal(expected(count));
    });
  }

  const away: Readonly<Record<string, (path: string) => void>> = {
    renamed: (path) => renameSync(path, join(folder, 'moved')),
    removed: (path) => unlinkSync(path),
    'removed with its directory': (path) => rmSync(join(path, '..'), { recursive: true }),
    'replaced by another file': (path) => {
      renameSync(path, join(folder, 'moved'));
      writeFileSync(path, '');
    },
    'truncated in place': (path) => truncateSync(path),
  };
  for (const [how, move] of Object.entries(away)) {
    it(`the file writer recreates the file after it was ${how}`, async () => {
      const path = join(folder, 'sub', 'a.log');
      const output = await open({ filename: path });
      output.write('one\n', 1);
      await sleep(50);
      move(path);
      output.write('two\n', 1);
      await output.close();
      expect(readFileSync(path, 'utf8')).to.equal('two\n');
      if (readdirSync(folder).includes('moved')) expect(readFileSync(join(folder, 'moved'), 'utf8')).to.equal('one\n');
    });
  }

  it('the file writer counts existing content, and content written by other processes, toward the size limit', async () => {
    const path = join(folder, 'a.log');
    writeFileSync(path, `${'x'.repeat(600_000)}\n`);
    const output = await open({ filename: path, roll_size_mb: 1, roll_gzip: false });
    output.write('one\n', 1);
    await sleep(50);
    writeFileSync(path, `${'y'.repeat(600_000)}\n`, { flag: 'a' });
    output.write('two\n', 1);
    await output.close();
    expect(readFileSync(path, 'utf8')).to.equal('two\n');
    expect(readdirSync(folder)).to.have.length(2);
  });

  const permissions = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  for (const [options, ofFile, ofFolder] of [
    [{}, '600', '700'],
    [{ mode: '0640', dir_mode: '0750' }, '640', '750'],
    [{ mode: 644, dir_mode: 'from_file' }, '644', '755'],
    [{ mode: '640', dir_mode: 'from_file' }, '640', '750'],
    [{ dir_mode: 'inherit' }, '600', '711'],
    [{ mode: '666' }, '666', '700'],
    [{ mode: '0' }, '600', '700'],
    [{ mode: '04640' }, '640', '700'],
  ] as const) {
    it(`the file writer creates files and directories with the permissions in ${JSON.stringify(options)}`, async () => {
      const above = join(folder, 'above');
      mkdirSync(above, { mode: 0o711 });
      const path = join(above, 'sub', 'a.log');
      const output = await open({ filename: path, roll_size_mb: 1, roll_gzip: false, ...options });
      output.write(`${'x'.repeat(1024 * 1024)}\n`, 1);
      await sleep(30);
      output.write('x\n', 1);
      await output.close();
      const names = readdirSync(join(above, 'sub'));
      expect(names).to.have.length(2);
      for (const name of names) expect(permissions(join(above, 'sub', name))).to.equal(ofFile);
      expect(permissions(join(above, 'sub'))).to.equal(ofFolder);
    });
  }

  it('the file writer keeps the mode of an existing file unless a mode is configured', async () => {
    const path = join(folder, 'a.log');
    writeFileSync(path, '');
    chmodSync(path, 0o664);
    await (await open({ filename: path })).close();
    expect(permissions(path)).to.equal('664');
    await (await open({ filename: path, mode: '0640' })).close();
    expect(permissions(path)).to.equal('640');
  });

  it('the file writer does not rotate files with roll: false', async () => {
    const output = await open({ filename: join(folder, 'a.log'), roll: false, roll_size_mb: 1, roll_interval: '1ms' });
    for (let i = 0; i < 3; i++) {
      output.write(`${'x'.repeat(1024 * 1024)}\n`, 1);
      await sleep(10);
    }
    await output.close();
    expect(readdirSync(folder)).to.deep.equal(['a.log']);
  });

  it('the file writer keeps the configured number of rotated files', async () => {
    const output = await open({ filename: join(folder, 'a.log'), roll_size_mb: 1, roll_keep: 2, roll_gzip: false });
    for (let i = 0; i < 8; i++) {
      output.write(`${'x'.repeat(1024 * 1024 - 1)}\n`, 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await output.close();
    expect(readdirSync(folder)).to.have.length(3);
  });

  for (const [options, message] of [
    [{}, /filename is missing/],
    [{ filename: '/tmp/{env.SLUICE_TEST_UNSET}' }, /\{env\.SLUICE_TEST_UNSET\} is empty/],
    [{ filename: 'x', mode: '9' }, /octal/],
    [{ filename: 'x', roll_size_mb: -1 }, /is not a valid file size/],
    [{ filename: 'x', backup_time_format: '2006/01/02' }, /must not contain a slash/],
    [{ filename: 'x', roll_compression: 'lzma' }, /gzip, zstd or none/],
    [{ filename: 'x', roll_at: ['25:00'] }, /not a valid time of day/],
    [{ filename: 'x', roll_minutes: [60] }, /is not a valid minute/],
  ] as const) {
    it(`the file writer rejects ${JSON.stringify(options)}`, async () => {
      expect(await refusal(open(options))).to.match(message);
    });
  }
});
