import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, type LogEntry } from '@sluice/base';
import { DropReport } from '@sluice/telemetry';

describe('DropReport', () => {
  const now = performance.now;
  let time = 0;
  let entries: LogEntry[];
  let report: DropReport;
  beforeEach(() => {
    performance.now = () => time;
    entries = [];
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    report = new DropReport(log, 'by a test', { output: 'x' });
  });
  afterEach(() => {
    report.say();
    performance.now = now;
  });
  const said = (): unknown[] => entries.map(({ fields }) => [fields['lines'], fields['total']]);

  it('DropReport logs how many lines were dropped, and by which output', async () => {
    report.add(2);
    report.add(3);
    expect([report.total, entries.length]).to.deep.equal([5, 0]);
    await sleep(20);
    expect(entries.map(({ level, message, fields }) => ({ level, message, fields }))).to.deep.equal([
      { level: 'error', message: 'log lines dropped by a test', fields: { output: 'x', lines: 5, total: 5 } },
    ]);
  });

  it('DropReport logs at most once every five seconds', async () => {
    time = 1000;
    report.add(2);
    await sleep(20);
    time = 5900;
    report.add(3);
    await sleep(40);
    expect(said()).to.deep.equal([[2, 2]]);
    await sleep(120);
    expect(said()).to.deep.equal([
      [2, 2],
      [3, 5],
    ]);
    time = 20_000;
    report.add(1);
    await sleep(20);
    expect(said()).to.deep.equal([
      [2, 2],
      [3, 5],
      [1, 6],
    ]);
  });

  it('DropReport.say logs the remaining lines once', async () => {
    report.add(1);
    report.say();
    report.say();
    await sleep(20);
    expect(said()).to.deep.equal([[1, 1]]);
  });

  it('DropReport logs nothing if no lines were dropped', async () => {
    report.add(0);
    report.say();
    await sleep(20);
    expect([report.total, entries]).to.deep.equal([0, []]);
  });
});
