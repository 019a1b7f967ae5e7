import { expect } from 'chai';
import {
  createLogger,
  silentLogger,
  SluiceError,
  type DeferredFields,
  type LogEntry,
  type LogLevel,
} from '@sluice/base';

describe('Logger', () => {
  const levels: LogLevel[] = ['debug', 'info', 'warn', 'error'];

  function open(enabled: (level: LogLevel, logger: string) => boolean = () => true) {
    const entries: LogEntry[] = [];
    return { entries, log: createLogger({ enabled, write: (entry) => void entries.push(entry) }, 'http') };
  }

  it('Logger writes entries at each level with name, time and fields', () => {
    const { entries, log } = open();
    const before = Date.now();
    for (const level of levels) log[level](`at ${level}`, { level });
    log.info('bare');
    expect(entries.map(({ level, logger, message, fields }) => [level, logger, message, fields])).to.deep.equal([
      ...levels.map((level) => [level, 'http', `at ${level}`, { level }]),
      ['info', 'http', 'bare', {}],
    ]);
    for (const { time } of entries) expect(time).to.be.within(before, Date.now());
  });

  it('Logger checks whether the sink accepts a level and name before it creates the entry', () => {
    const { entries, log } = open((level, logger) => level === 'warn' && logger === 'tls');
    for (const each of [log, log.named('tls')]) for (const level of levels) each[level]('x');
    expect(entries).to.have.length(1);
    expect(levels.map((level) => log.named('tls').enabled(level))).to.deep.equal([false, false, true, false]);
    expect(log.enabled('warn')).to.equal(false);
    expect([
      log.name,
      log.named('tls').name,
      createLogger({ enabled: () => true, write: () => {} }).name,
    ]).to.deep.equal(['http', 'tls', '']);
  });

  it('Logger replaces an error with its message', () => {
    const { entries, log } = open();
    log.error('x', { error: new TypeError('no'), other: 1 });
    expect(entries[0]?.fields).to.deep.equal({ error: 'no', other: 1 });
  });

  it("Logger adds the code of an error, including Node's codes", () => {
    const { entries, log } = open();
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    for (const error of [new SluiceError('ERR_VALUE', 'no'), refused, Object.assign(new Error('old'), { code: 20 })])
      log.error('x', { error });
    expect(entries.map(({ fields }) => fields)).to.deep.equal([
      { error: 'no', code: 'ERR_VALUE' },
      { error: 'refused', code: 'ECONNREFUSED' },
      { error: 'old' },
    ]);
  });

  it('Logger evaluates deferred fields only if they are needed', () => {
    const { entries, log } = open((level) => level !== 'debug');
    let made = 0;
    const deferred: DeferredFields = {
      moment: performance.now(),
      fields: () => ({ made: ++made }),
      json: () => '"a":1',
    };
    log.defer('debug', 'x', deferred);
    log.defer('info', 'y', deferred);
    expect([entries.length, made]).to.deep.equal([1, 0]);
    const [entry] = entries;
    expect(entry).to.include({ level: 'info', logger: 'http', message: 'y', deferred });
    expect(entry?.time).to.be.closeTo(Date.now(), 50);
    expect(entry?.fields).to.deep.equal({ made: 1 });
    expect({ ...entry, fields: { own: 1 } }).to.not.have.property('deferred');
  });

  it('silentLogger discards all entries', () => {
    expect(levels.map((level) => silentLogger.enabled(level))).to.deep.equal([false, false, false, false]);
    silentLogger.error('x');
  });
});
