import { expect } from 'chai';
import type { LogEntry, LogLevel } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';
import { LogRouter } from '@sluice/telemetry';

/** A log that accepts entries from a minimum level, for one logger or for all loggers. */
class Log {
  readonly entries: string[] = [];
  asked = 0;
  readonly #accepted: readonly LogLevel[];
  readonly #logger: string | null;

  constructor(accepted: readonly LogLevel[], logger: string | null = null) {
    this.#accepted = accepted;
    this.#logger = logger;
  }

  accepts(level: LogLevel, logger: string): boolean {
    this.asked++;
    return this.#accepted.includes(level) && (this.#logger === null || this.#logger === logger);
  }

  write({ message }: LogEntry): void {
    this.entries.push(message);
  }
}

const entry = (message: string, level: LogLevel = 'info', logger = 'a'): LogEntry => ({
  time: 0,
  level,
  logger,
  message,
  fields: {},
});
const output: LogOutput = { write: () => true, close: () => undefined };

describe('LogRouter', () => {
  function open() {
    const early: string[] = [];
    const router = new LogRouter({
      enabled: (level) => level === 'error',
      write: ({ message }) => void early.push(message),
    });
    return { router, early };
  }

  it('LogRouter uses the fallback before logs are active and after the logs are disposed of', () => {
    const { router, early } = open();
    const log = new Log(['info', 'warn']);
    const routes = [log];
    router.write(entry('one'));
    expect([router.enabled('info', 'a'), router.enabled('error', 'a')]).to.deep.equal([false, true]);
    router.use(routes);
    router.write(entry('two'));
    expect([router.enabled('info', 'a'), router.enabled('error', 'a')]).to.deep.equal([true, false]);
    router.forget(routes);
    router.write(entry('three'));
    expect([early, log.entries]).to.deep.equal([['one', 'three'], ['two']]);
  });

  it('LogRouter.forget has no effect if the given logs have already been replaced', () => {
    const { router, early } = open();
    const [old, log] = [[new Log(['info'])], new Log(['info'])];
    router.use(old);
    router.use([log], output);
    router.forget(old);
    router.write(entry('one'));
    expect([early, old[0]?.entries, log.entries]).to.deep.equal([[], [], ['one']]);
    expect(router.stray).to.equal(output);
  });

  it('LogRouter.stray returns the output of the active configuration for text that bypasses loggers', () => {
    const { router } = open();
    expect(router.stray).to.equal(null);
    const first = [new Log(['info'])];
    router.use(first, output);
    expect(router.stray).to.equal(output);
    router.use(first);
    expect(router.stray).to.equal(null);
    router.use(first, output);
    router.forget(first);
    expect(router.stray).to.equal(null);
  });

  it('LogRouter passes an entry to logs that accept its level and logger', () => {
    const { router } = open();
    const [all, errors, ofB] = [
      new Log(['debug', 'info', 'warn', 'error']),
      new Log(['error']),
      new Log(['info'], 'b'),
    ];
    router.use([all, errors, ofB]);
    router.write(entry('1', 'debug'));
    router.write(entry('2', 'info', 'b'));
    router.write(entry('3', 'info', 'a'));
    router.write(entry('4', 'error', 'b'));
    expect([all.entries, errors.entries, ofB.entries]).to.deep.equal([['1', '2', '3', '4'], ['4'], ['2']]);
  });

  it('LogRouter distinguishes the four log levels', () => {
    const { router } = open();
    const levels: LogLevel[] = ['debug', 'info', 'warn', 'error'];
    const logs = levels.map((level) => new Log([level]));
    router.use(logs);
    for (const level of levels) {
      router.write(entry(level, level));
      expect(router.enabled(level, 'a')).to.equal(true);
    }
    expect(logs.map(({ entries }) => entries)).to.deep.equal(levels.map((level) => [level]));
    router.use(logs.slice(1));
    expect([router.enabled('debug', 'a'), router.enabled('info', 'a')]).to.deep.equal([false, true]);
  });

  it('LogRouter queries the logs once per logger, even if loggers alternate, and again after a change', () => {
    const { router } = open();
    const log = new Log(['info']);
    router.use([log]);
    for (let i = 0; i < 5; i++) for (const logger of ['a', 'b']) router.write(entry('x', 'info', logger));
    expect([log.asked, log.entries.length]).to.deep.equal([8, 10]);
    const next = new Log([]);
    router.use([next]);
    router.write(entry('x', 'info', 'b'));
    expect([next.entries.length, next.asked]).to.deep.equal([0, 4]);
  });

  it('LogRouter caches at most 1000 loggers, and routes the entries of additional loggers', () => {
    const { router } = open();
    const log = new Log(['info']);
    router.use([log]);
    const round = (count: number): void => {
      for (let i = 0; i < count; i++) router.write(entry('x', 'info', `host-${i}`));
    };
    round(1000);
    round(1000);
    expect(log.asked).to.equal(4 * 1000);
    round(1001);
    router.write(entry('x', 'info', 'host-0'));
    expect(log.asked).to.equal(4 * 1002);
    expect(log.entries.length).to.equal(3002);
  });

  it('LogRouter writes an entry to the next log when a log throws', () => {
    const { router } = open();
    const log = new Log(['info']);
    const broken = {
      accepts: () => true,
      write: () => {
        throw new Error('full');
      },
    };
    router.use([broken, log]);
    router.write(entry('one'));
    expect(log.entries).to.deep.equal(['one']);
  });
});
