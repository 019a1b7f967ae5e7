import { isatty } from 'node:tty';
import { expect } from 'chai';
import { logOutputsToken, type LogOutput, type LogOutputs } from '@sluice/contracts';
import { Runtime } from '@sluice/reconciler';
import { Registry, type Roles, type Token } from '@sluice/registry';
import { createLogger, silentLogger, type Json, type Logger } from '@sluice/base';
import { LogRouter, logRouterToken, register } from '@sluice/telemetry';
import { registerLogModules } from '../log-modules.ts';

/** A simulated thread whose log outputs are lists. */
class Thread {
  readonly lines: Record<string, string[]> = {};
  readonly early: string[] = [];
  readonly router = new LogRouter({ enabled: () => true, write: ({ message }) => void this.early.push(message) });
  readonly log: Logger = createLogger(this.router);
  readonly runtime: Runtime;

  constructor(roles: Roles = { control: true, traffic: true }, hasOutputs = true) {
    const registry = new Registry().use(register).use(registerLogModules);
    const outputs: LogOutputs = {
      acquire: ({ key }) => Promise.resolve(this.#open(key)),
    };
    const services: [Token<unknown>, unknown][] = [[logRouterToken, this.router]];
    if (hasOutputs) services.push([logOutputsToken, outputs]);
    this.runtime = new Runtime({ registry, roles, log: silentLogger, services: new Map(services) });
  }

  #open(key: string): LogOutput {
    const lines = (this.lines[key] ??= []);
    return { write: (text, count) => void lines.push(`${count} ${text}`), close: () => undefined };
  }

  async use(logging: Json): Promise<void> {
    this.runtime.commit(await this.runtime.prepare({ logging }));
  }
}

async function messageOf(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
}

describe('logging section', () => {
  let thread: Thread;
  beforeEach(() => (thread = new Thread()));
  afterEach(() => thread.runtime.close());

  it('the default log writes to standard error unless the configuration replaces it', async () => {
    await thread.use({});
    const original = isatty(2) ? 'console' : 'json';
    thread.log.info('one');
    expect(thread.lines).to.deep.equal({ stderr: [`1 ${original} one`] });
    await thread.use({ logs: { default: { writer: { output: 'file' } } } });
    thread.log.info('two');
    expect(thread.lines).to.deep.equal({ stderr: [`1 ${original} one`], file: ['1 json two'] });
    await thread.use({ logs: { other: { writer: { output: 'file' } } } });
    thread.log.info('three');
    expect(thread.lines['stderr']).to.deep.equal([`1 ${original} one`, `1 ${original} three`]);
    expect(thread.lines['file']).to.deep.equal(['1 json two', '1 json three']);
  });

  it('the fallback log receives entries again after the configuration is dropped', async () => {
    await thread.use({});
    await thread.runtime.close();
    thread.log.info('one');
    expect([thread.early, thread.lines]).to.deep.equal([['one'], { stderr: [] }]);
  });

  it('a log uses its configured encoder', async () => {
    const encoded = { writer: { output: 'file' }, encoder: { format: 'console', end: '!' } };
    await thread.use({ logs: { default: encoded } });
    thread.log.info('one');
    expect(thread.lines).to.deep.equal({ file: ['1 console one!'] });
  });

  const levels: [level: string | null, written: string][] = [
    [null, 'info warn error'],
    ['', 'info warn error'],
    ['DEBUG', 'debug info warn error'],
    ['info', 'info warn error'],
    ['Warn', 'warn error'],
    ['ERROR', 'error'],
    ['PANIC', ''],
    ['FATAL', ''],
  ];
  for (const [level, written] of levels) {
    it(`the log writes ${written || 'nothing'} at level ${JSON.stringify(level)}`, async () => {
      await thread.use({ logs: { default: { writer: { output: 'file' }, level } } });
      for (const each of ['debug', 'info', 'warn', 'error'] as const) thread.log[each](each);
      expect(thread.lines['file']?.map((line) => line.slice('1 json '.length)).join(' ')).to.equal(written);
    });
  }

  it('a log accepts included loggers that are not excluded', async () => {
    const file = { writer: { output: 'file' } };
    await thread.use({ logs: { default: { ...file, include: ['a'], exclude: ['a.b'] } } });
    for (const name of ['a', 'a.b', 'a.c', 'b']) thread.log.named(name).info(name);
    expect(thread.lines['file']).to.deep.equal(['1 json a', '1 json a.c']);
  });

  it('a log samples entries only if configured', async () => {
    const file = { writer: { output: 'file' } };
    await thread.use({
      logs: { default: { ...file, sampling: { first: 1, thereafter: 3 } }, all: { writer: { output: 'stdout' } } },
    });
    for (let i = 0; i < 8; i++) thread.log.info('x');
    expect(thread.lines['file']).to.have.length(3);
    expect(thread.lines['stdout']).to.have.length(8);
  });

  const refused: [log: Json, message: string][] = [
    [
      { level: 'LOUD' },
      'logging.logs.default.level: "LOUD" is not a valid level; use one of DEBUG, INFO, WARN, ERROR, PANIC, FATAL',
    ],
    [{ include: ['b', 'a'], exclude: ['a'] }, 'logging.logs.default.include[1]: "a" is also in exclude'],
    [
      { include: ['a', 'b'], exclude: ['a.x'] },
      'logging.logs.default.include[1]: no name in exclude is related to "b"',
    ],
  ];
  for (const [log, message] of refused) {
    it(`the logging section rejects ${JSON.stringify(log)}`, async () => {
      expect(await messageOf(thread.use({ logs: { default: log } }))).to.equal(message);
    });
  }

  it('logging.sink is the output for text that bypasses loggers in the control thread', async () => {
    await thread.use({});
    expect(thread.router.stray).to.equal(null);
    await thread.use({ sink: {} });
    expect(thread.router.stray).to.equal(null);
    await thread.use({ sink: { writer: { output: 'file' } } });
    thread.router.stray?.write('a warning', 1);
    expect(thread.lines['file']).to.deep.equal(['1 a warning']);
    const worker = new Thread({ control: false, traffic: true });
    await worker.use({ sink: { writer: { output: 'file' } } });
    worker.log.info('one');
    expect([worker.router.stray, Object.keys(worker.lines)]).to.deep.equal([null, ['stderr']]);
    await worker.runtime.close();
  });

  it('the logging section opens no outputs in a thread without a role', async () => {
    const idle = new Thread({ control: false, traffic: false });
    await idle.use({ sink: { writer: { output: 'file' } } });
    idle.log.info('one');
    expect([idle.lines, idle.router.stray]).to.deep.equal([{}, null]);
    await idle.runtime.close();
    const bare = new Thread({ control: true, traffic: false }, false);
    await bare.use({ sink: { writer: { output: 'file' } } });
    bare.log.info('one');
    expect([bare.lines, bare.router.stray, bare.early]).to.deep.equal([{}, null, []]);
    await bare.runtime.close();
  });

  it('the logging section opens outputs in a thread whose only role is control', async () => {
    const control = new Thread({ control: true, traffic: false });
    await control.use({});
    control.log.info('one');
    expect(control.lines['stderr']).to.have.length(1);
    await control.runtime.close();
  });
});
