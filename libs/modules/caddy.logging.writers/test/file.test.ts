import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { logWriters, Registry, silentLogger, type LogOutput, type LogWriter } from '@sluice/registry';
import { register } from '@sluice/caddy.logging.writers';

const registry = new Registry().use(register);

async function open(options: Readonly<Record<string, unknown>>): Promise<LogOutput> {
  const module = registry.find(logWriters, 'file');
  const context = { log: silentLogger, error: (message: string) => new Error(message) };
  if (module === undefined) throw new Error('there is no such writer');
  const writer = (await module.provision(options as never, context as never)) as LogWriter;
  return writer.open();
}

/** The message of the error that a promise is rejected with. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

/** All lines of a log and its rolled files. */
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
    it(`has every line once through many rollings (${compression})`, async function () {
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

  it('begins the file anew when it was moved away', async () => {
    const output = await open({ filename: join(folder, 'a.log') });
    output.write('one\n', 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    renameSync(join(folder, 'a.log'), join(folder, 'moved'));
    output.write('two\n', 1);
    await output.close();
    expect(readFileSync(join(folder, 'moved'), 'utf8')).to.equal('one\n');
    expect(readFileSync(join(folder, 'a.log'), 'utf8')).to.equal('two\n');
  });

  it('keeps as many rolled files as it may', async () => {
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
    [{ filename: 'x', mode: '9' }, /octal/],
    [{ filename: 'x', roll_compression: 'lzma' }, /gzip, zstd or none/],
    [{ filename: 'x', roll_at: ['25:00'] }, /no time of day/],
    [{ filename: 'x', roll_minutes: [60] }, /no minute/],
  ] as const) {
    it(`refuses ${JSON.stringify(options)}`, async () => {
      expect(await refusal(open(options))).to.match(message);
    });
  }
});
