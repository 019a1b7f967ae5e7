import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { maxWait, nextRoll } from '../../src/file/schedule.ts';
import { openFile } from './open.ts';

const hour = 3_600_000;
const at = (text: string): number => Date.parse(`2026-05-05T${text}Z`);
/** Waits for pending disk operations by performing the same number of operations, because the mocked clock stands still. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 100; i++) {
    await stat(tmpdir());
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('caddy.logging.writers.file: scheduled rotation', () => {
  for (const [now, schedule, next] of [
    ['10:00:00', { interval: hour, minutes: [] }, at('11:00:00')],
    ['10:00:00', { interval: 0, minutes: [] }, Number.POSITIVE_INFINITY],
    ['10:00:00', { interval: -hour, minutes: [] }, Number.POSITIVE_INFINITY],
    ['10:00:00', { interval: 0, minutes: [9 * 60, 23 * 60 + 30] }, at('23:30:00')],
    ['23:30:00', { interval: 0, minutes: [9 * 60, 23 * 60 + 30] }, at('09:00:00') + 24 * hour],
    ['10:15:30', { interval: hour, minutes: [10 * 60 + 16] }, at('10:16:00')],
  ] as const) {
    it(`nextRoll after ${now} returns the next scheduled time of ${JSON.stringify(schedule)}`, () => {
      expect(nextRoll(at(now), { ...schedule, local: false })).to.equal(next);
    });
  }

  const minutes = [9 * 60];
  for (const [now, next] of [
    ['2026-05-31T09:00:00Z', '2026-06-01T09:00:00Z'],
    ['2026-12-31T10:00:00Z', '2027-01-01T09:00:00Z'],
    ['2028-02-28T09:00:00.001Z', '2028-02-29T09:00:00Z'],
    ['2026-05-05T08:59:59.999Z', '2026-05-05T09:00:00Z'],
  ] as const) {
    it(`nextRoll after ${now} returns a time on the next day instead of skipping a day`, () => {
      const found = nextRoll(Date.parse(now), { interval: 0, minutes, local: false });
      expect(new Date(found).toISOString()).to.equal(new Date(next).toISOString());
    });
  }

  it('nextRoll follows local time across daylight saving time changes', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
    try {
      const rolls = ['2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z', '2026-07-01T05:00:00Z'].map((now) =>
        new Date(nextRoll(Date.parse(now), { interval: 0, minutes, local: true })).toISOString(),
      );
      expect(rolls).to.deep.equal(['2026-03-29T07:00:00.000Z', '2026-10-25T08:00:00.000Z', '2026-07-01T07:00:00.000Z']);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('nextRoll never returns a time further in the future than maxWait', () => {
    expect(maxWait({ interval: 0, minutes: [], local: false })).to.equal(Number.POSITIVE_INFINITY);
    expect(maxWait({ interval: hour, minutes: [], local: false })).to.equal(hour);
    expect(maxWait({ interval: 0, minutes, local: false })).to.equal(25 * hour);
    expect(maxWait({ interval: hour, minutes, local: false })).to.equal(hour);
    expect(maxWait({ interval: 48 * hour, minutes, local: false })).to.equal(25 * hour);
  });

  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: at('10:10:00') });
  });
  afterEach(() => {
    mock.timers.reset();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  // Attack in docs/security.md: The clock is set back after a log file's rotation was scheduled.
  it('the file writer keeps rotating if the clock is set back by a year', async () => {
    const { output } = await openFile({ filename: join(folder, 'a.log'), roll_gzip: false, roll_interval: hour * 1e6 });
    output.write('one\n', 1);
    await settle();
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: at('10:10:00') - 365 * 24 * hour });
    output.write('two\n', 1);
    await settle();
    mock.timers.tick(hour + 1000);
    output.write('three\n', 1);
    await settle();
    expect(readdirSync(folder)).to.have.length(2);
    expect(read('a.log')).to.equal('three\n');
    await output.close();
  });

  for (const clock of [{ roll_at: ['10:12'] }, { roll_minutes: [12] }]) {
    it(`the file writer with ${JSON.stringify(clock)} rotates even if there are no new lines, but never rotates an empty file`, async () => {
      const { output } = await openFile({ filename: join(folder, 'a.log'), roll_gzip: false, ...clock });
      output.write('one\n', 1);
      await settle();
      mock.timers.tick(119_000);
      await settle();
      expect(readdirSync(folder)).to.deep.equal(['a.log']);
      mock.timers.tick(1500);
      await settle();
      expect(readdirSync(folder)).to.deep.equal(['a-2026-05-05T10-12-00.500-time.log', 'a.log']);
      expect(read('a.log')).to.equal('');
      mock.timers.tick(48 * hour);
      await settle();
      expect(readdirSync(folder)).to.have.length(2);
      output.write('two\n', 1);
      await settle();
      mock.timers.tick(24 * hour);
      await settle();
      expect(readdirSync(folder)).to.have.length(3);
      await output.close();
    });
  }

  it('the file writer with roll_interval rotates when the next line is written', async () => {
    const { output } = await openFile({ filename: join(folder, 'a.log'), roll_interval: '1m', roll_gzip: false });
    for (const text of ['one\n', 'two\n', 'three\n']) {
      output.write(text, 1);
      await settle();
      mock.timers.tick(40_000);
    }
    await output.close();
    expect(read('a-2026-05-05T10-11-20.000-time.log')).to.equal('one\ntwo\n');
    expect(read('a.log')).to.equal('three\n');
  });
});
