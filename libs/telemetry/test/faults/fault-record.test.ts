import { expect } from 'chai';
import { createLogger, reportFault, type Fault, type LogEntry, type LogSink } from '@sluice/base';
import { LogRouter, Metrics, recordFaults } from '@sluice/telemetry';

describe('the record of faults', () => {
  const now = performance.now;
  let entries: LogEntry[];
  let early: LogEntry[];
  let metrics: Metrics;
  let stop: () => void;
  let onEntry: () => void;

  beforeEach(() => {
    entries = [];
    early = [];
    onEntry = () => undefined;
    metrics = new Metrics();
    const sinkOf = (list: LogEntry[]): LogSink => ({
      enabled: () => true,
      write: (entry) => {
        list.push(entry);
        onEntry();
      },
    });
    performance.now = () => 7_000_500;
    stop = recordFaults({ log: createLogger(sinkOf(entries)), router: new LogRouter(sinkOf(early)), metrics });
  });
  afterEach(() => {
    stop();
    performance.now = now;
  });

  const counted = (): unknown[] =>
    metrics.snapshot().flatMap(({ name, series }) => series.map(({ labels, value }) => [name, ...labels, value]));

  it('logs whose fault it was, where, and the stack', () => {
    const error = new Error('a mistake');
    reportFault({ part: 'exchange', error, module: 'http.handlers.x', route: 'apps.http' });
    reportFault({ part: 'task', error: 'thrown text' });
    expect(entries.map(({ level, logger, message, fields }) => ({ level, logger, message, fields }))).to.deep.equal([
      {
        level: 'error',
        logger: 'http.handlers.x',
        message: 'a request failed by an exception',
        fields: { error: 'a mistake', module: 'http.handlers.x', route: 'apps.http', stack: error.stack },
      },
      { level: 'error', logger: '', message: 'a task failed by an exception', fields: { error: 'thrown text' } },
    ]);
  });

  const messages: [part: Fault['part'], message: string][] = [
    ['connection', 'a connection failed by an exception'],
    ['thread', 'an exception escaped'],
  ];
  for (const [part, message] of messages) {
    it(`says of the part ${part}: ${message}`, () => {
      reportFault({ part, error: new Error('x') });
      expect(entries.map((entry) => entry.message)).to.deep.equal([message]);
    });
  }

  it('logs with the logger that the fault brings', () => {
    const own: string[] = [];
    const log = createLogger({ enabled: () => true, write: ({ message }) => void own.push(message) });
    reportFault({ part: 'task', error: 'x', log });
    expect([own.length, entries.length]).to.deep.equal([1, 0]);
  });

  it('logs the faults of logs past the logs', () => {
    reportFault({ part: 'log', error: 'x' });
    expect(early.map(({ message }) => message)).to.deep.equal(['a log entry was lost by an exception']);
    expect(entries).to.deep.equal([]);
  });

  it('counts by part and module', () => {
    for (const module of ['a', 'b', 'a']) reportFault({ part: 'task', error: 'x', module });
    reportFault({ part: 'thread', error: 'x' });
    expect(counted()).to.deep.equal([
      ['sluice_faults_total', 'task', 'a', 2],
      ['sluice_faults_total', 'task', 'b', 1],
      ['sluice_faults_total', 'thread', '', 1],
    ]);
  });

  it('logs twenty a second, and counts all', () => {
    for (let i = 0; i < 50; i++) reportFault({ part: 'task', error: 'x' });
    expect(entries).to.have.length(20);
    performance.now = () => 7_000_999;
    reportFault({ part: 'task', error: 'x' });
    expect(entries).to.have.length(20);
    performance.now = () => 7_001_000;
    for (let i = 0; i < 50; i++) reportFault({ part: 'task', error: 'x' });
    expect(entries).to.have.length(40);
    expect(counted()).to.deep.equal([['sluice_faults_total', 'task', '', 101]]);
  });

  it('counts alone what fails while a fault is logged', () => {
    onEntry = () => reportFault({ part: 'task', error: 'within' });
    reportFault({ part: 'task', error: 'x' });
    expect(entries.map(({ fields }) => fields['error'])).to.deep.equal(['x']);
    onEntry = () => undefined;
    reportFault({ part: 'task', error: 'y' });
    expect(entries).to.have.length(2);
    expect(counted()).to.deep.equal([['sluice_faults_total', 'task', '', 3]]);
  });

  it('goes on when a log throws', () => {
    onEntry = () => {
      throw new Error('the disk is full');
    };
    reportFault({ part: 'task', error: 'x' });
    onEntry = () => undefined;
    reportFault({ part: 'task', error: 'y' });
    expect(entries.map(({ fields }) => fields['error'])).to.deep.equal(['x', 'y']);
  });

  it('ends', () => {
    stop();
    reportFault({ part: 'task', error: 'x' });
    expect([entries.length, counted()]).to.deep.equal([0, []]);
  });
});
