import { expect } from 'chai';
import { createLogger, reportFault, type Fault, type LogEntry, type LogSink } from '@sluice/base';
import { LogRouter, Metrics, recordFaults } from '@sluice/telemetry';

describe('recordFaults', () => {
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

  it('recordFaults logs the module, the route and the stack of a fault', () => {
    const error = new Error('a mistake');
    reportFault({ part: 'exchange', error, module: 'http.handlers.x', route: 'apps.http' });
    reportFault({ part: 'task', error: 'thrown text' });
    expect(entries.map(({ level, logger, message, fields }) => ({ level, logger, message, fields }))).to.deep.equal([
      {
        level: 'error',
        logger: 'http.handlers.x',
        message: 'request failed with an uncaught exception',
        fields: { error: 'a mistake', module: 'http.handlers.x', route: 'apps.http', stack: error.stack },
      },
      {
        level: 'error',
        logger: '',
        message: 'task failed with an uncaught exception',
        fields: { error: 'thrown text' },
      },
    ]);
  });

  const messages: [part: Fault['part'], message: string][] = [
    ['connection', 'connection failed with an uncaught exception'],
    ['thread', 'uncaught exception'],
  ];
  for (const [part, message] of messages) {
    it(`recordFaults logs a fault in the part ${part} with the message: ${message}`, () => {
      reportFault({ part, error: new Error('x') });
      expect(entries.map((entry) => entry.message)).to.deep.equal([message]);
    });
  }

  it('recordFaults uses the logger that the fault provides', () => {
    const own: string[] = [];
    const log = createLogger({ enabled: () => true, write: ({ message }) => void own.push(message) });
    reportFault({ part: 'task', error: 'x', log });
    expect([own.length, entries.length]).to.deep.equal([1, 0]);
  });

  it('recordFaults does not write logging faults to the configured logs', () => {
    reportFault({ part: 'log', error: 'x' });
    expect(early.map(({ message }) => message)).to.deep.equal(['log entry lost due to an uncaught exception']);
    expect(entries).to.deep.equal([]);
  });

  it('recordFaults counts faults by part and module', () => {
    for (const module of ['a', 'b', 'a']) reportFault({ part: 'task', error: 'x', module });
    reportFault({ part: 'thread', error: 'x' });
    expect(counted()).to.deep.equal([
      ['sluice_faults_total', 'task', 'a', 2],
      ['sluice_faults_total', 'task', 'b', 1],
      ['sluice_faults_total', 'thread', '', 1],
    ]);
  });

  it('recordFaults logs twenty faults per second, and counts all faults', () => {
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

  it('recordFaults counts faults that occur during logging, but does not log them', () => {
    onEntry = () => reportFault({ part: 'task', error: 'within' });
    reportFault({ part: 'task', error: 'x' });
    expect(entries.map(({ fields }) => fields['error'])).to.deep.equal(['x']);
    onEntry = () => undefined;
    reportFault({ part: 'task', error: 'y' });
    expect(entries).to.have.length(2);
    expect(counted()).to.deep.equal([['sluice_faults_total', 'task', '', 3]]);
  });

  it('recordFaults continues if a logger throws', () => {
    onEntry = () => {
      throw new Error('the disk is full');
    };
    reportFault({ part: 'task', error: 'x' });
    onEntry = () => undefined;
    reportFault({ part: 'task', error: 'y' });
    expect(entries.map(({ fields }) => fields['error'])).to.deep.equal(['x', 'y']);
  });

  it('recordFaults returns a function that stops recording', () => {
    stop();
    reportFault({ part: 'task', error: 'x' });
    expect([entries.length, counted()]).to.deep.equal([0, []]);
  });
});
