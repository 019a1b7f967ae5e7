import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { openFile } from './open.ts';

const day = 24 * 3_600_000;
const stamp = (time: number): string => new Date(time).toISOString().slice(0, 23).replaceAll(':', '-');

describe('caddy.logging.writers.file: rotated files', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (name: string, text = 'lines\n'): void => writeFileSync(join(folder, name), text);
  /** Opens the file writer, which cleans up existing files. Returns the names of the remaining files except the log file. */
  const lookAfter = async (options: Readonly<Record<string, unknown>>): Promise<string[]> => {
    const { output, logged } = await openFile({ filename: join(folder, 'a.log'), ...options });
    await output.close();
    expect(logged).to.deep.equal([]);
    return readdirSync(folder).filter((name) => name !== 'a.log');
  };

  it('maintainBackups compresses files of a previous process, including partly compressed files', async () => {
    const [one, two, three] = [1, 2, 3].map((hours) => `a-${stamp(Date.now() - hours * 3_600_000)}-size.log`);
    put(`${one}`, 'one\n');
    put(`${two}`, 'two\n');
    put(`${two}.gz.tmp`, 'torn');
    put(`${three}.gz.tmp`, 'torn');
    expect(await lookAfter({})).to.have.members([`${one}.gz`, `${two}.gz`]);
    expect(gunzipSync(readFileSync(join(folder, `${one}.gz`))).toString()).to.equal('one\n');
    expect(gunzipSync(readFileSync(join(folder, `${two}.gz`))).toString()).to.equal('two\n');
  });

  it('maintainBackups replaces an incomplete compressed file if its original exists', async () => {
    const name = `a-${stamp(Date.now())}-size.log`;
    put(name, 'one\n');
    put(`${name}.zst`, 'torn');
    expect(await lookAfter({ roll_compression: 'zstd' })).to.deep.equal([`${name}.zst`]);
    expect(zstdDecompressSync(readFileSync(join(folder, `${name}.zst`))).toString()).to.equal('one\n');
  });

  it('maintainBackups does not change files of other logs with the same prefix', async () => {
    const names = [
      `a-api-${stamp(Date.now() - 1000 * day)}-size.log`,
      `b-${stamp(Date.now() - 1000 * day)}-size.log`,
      'a-2020-size.log',
      'a-notes.log',
      `a-${stamp(Date.now() - 1000 * day)}.log`,
      `a-${stamp(Date.now() - 1000 * day)}-size.log.bak`,
      `a-${stamp(Date.now() - 1000 * day)}-size.log.tmp`,
    ];
    for (const name of names) put(name);
    expect(await lookAfter({ roll_keep: 1 })).to.have.members(names);
  });

  it('maintainBackups removes files based on the time in their names', async () => {
    const names = [1, 2, 3, 4, 40].map((days) => `a-${stamp(Date.now() - days * day)}-time.log`);
    for (const [i, name] of names.entries()) {
      put(name);
      // The modification times are in the opposite order to the file names.
      utimesSync(join(folder, name), i * 1000, i * 1000);
    }
    const options = { roll_gzip: false };
    expect(await lookAfter({ ...options, roll_keep_days: 30 })).to.have.members(names.slice(0, 4));
    expect(await lookAfter({ ...options, roll_keep: 2 })).to.have.members(names.slice(0, 2));
  });

  it('maintainBackups keeps all files if limits are negative', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `a-${stamp(Date.now() - (i + 1) * 100 * day)}-size.log`);
    for (const name of names) put(name);
    expect(await lookAfter({ roll_gzip: false, roll_keep: -1, roll_keep_days: -1 })).to.have.members(names);
  });

  for (const layout of ['20060102', 'Jan _2 2006 15.04.05', '2006-01-02T15-04-05Z07:00', 'then']) {
    it(`maintainBackups recognizes file names with the time format ${layout}`, async () => {
      const options = { filename: join(folder, 'a.log'), backup_time_format: layout, roll_gzip: false };
      const { output } = await openFile({ ...options, roll_size_mb: 1 });
      for (let i = 0; i < 4; i++) {
        output.write(`${'x'.repeat(1024 * 1024)}\n`, 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await output.close();
      const rolled = readdirSync(folder).filter((name) => name !== 'a.log');
      expect(rolled).to.have.length(3);
      put(`a-${stamp(Date.now())}-size.log`);
      expect(await lookAfter({ ...options, roll_keep: 1 })).to.have.length(2);
    });
  }

  it('maintainBackups removes outdated files even if a compression fails', async () => {
    const [young, old] = [1, 400].map((days) => `a-${stamp(Date.now() - days * day)}-size.log`);
    put(`${young}`);
    put(`${old}`);
    // A non-empty directory already has the name of the compressed file.
    mkdirSync(join(folder, `${young}.gz`, 'y'), { recursive: true });
    const { output, logged } = await openFile({ filename: join(folder, 'a.log') });
    await output.close();
    expect(logged.map(({ message }) => message)).to.deep.equal(['failed to clean up rotated log files']);
    expect(readdirSync(folder)).to.have.members(['a.log', `${young}`, `${young}.gz`]);
  });
});
