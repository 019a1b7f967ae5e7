/** Small pino transports for tests. They run in separate threads. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, type LogEntry } from '@sluice/base';
import { logWriters, type LogOutput, type LogWriter } from '@sluice/contracts';
import { Registry, type Token } from '@sluice/registry';
import { Metrics, metricsToken } from '@sluice/telemetry';
import { register } from '@sluice/caddy.logging.writers';
import { refusal } from '../file/open.ts';

/** A transport that writes its input to a file. It also executes commands that the lines contain. */
const transport = `
const { appendFileSync } = require('node:fs');
const { Writable } = require('node:stream');
module.exports = ({ file, hold }) => {
  appendFileSync(file, '[start]\\n');
  return new Writable({
    highWaterMark: 1024,
    write(chunk, _encoding, done) {
      const text = chunk.toString();
      if (text.includes('die')) process.exit(3);
      if (text.includes('throw')) throw new Error('on request');
      appendFileSync(file, text);
      setTimeout(done, hold ?? 0);
    },
    final(done) {
      appendFileSync(file, '[end]\\n');
      done();
    },
  });
};`;

describe('caddy.logging.writers.pino', function () {
  this.timeout(30_000);
  let folder: string;
  let file: string;
  let metrics: Metrics;
  let entries: LogEntry[];
  const outputs: LogOutput[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-pino-'));
    file = join(folder, 'out');
    metrics = new Metrics();
    entries = [];
    writeFileSync(join(folder, 'transport.cjs'), transport);
  });
  afterEach(async () => {
    for (const output of outputs.splice(0)) await output.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function provision(config: object): Promise<LogWriter> {
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const context = {
      log,
      error: (message: string) => new Error(message),
      find: (token: Token<unknown>) => (token === metricsToken ? metrics : undefined),
    };
    const module = new Registry().use(register).find(logWriters, 'pino')?.load();
    return (await (await module)?.provision(config as never, context as never)) as LogWriter;
  }

  async function open(options: object = {}, more: object = {}): Promise<LogOutput> {
    const writer = await provision({ target: join(folder, 'transport.cjs'), options: { file, ...options }, ...more });
    const output = await writer.open();
    outputs.push(output);
    return output;
  }

  const close = (output: LogOutput): Promise<void> => {
    outputs.splice(outputs.indexOf(output), 1);
    return Promise.resolve(output.close());
  };
  const read = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const until = async (isTrue: () => boolean): Promise<void> => {
    for (let i = 0; i < 2000 && !isTrue(); i++) await sleep(5);
    expect(isTrue()).to.equal(true);
  };
  const dropped = (): number =>
    metrics.counter('sluice_log_dropped_lines_total', 'x', ['target']).with(join(folder, 'transport.cjs')).value;

  it('the pino writer sends strings and bytes in order, and ends the transport when the output is closed', async () => {
    const output = await open();
    output.write('one ä\n', 1);
    let released = 0;
    output.writeBytes?.(Buffer.from('two\nthree\n'), 2, () => released++);
    output.write('four\n', 1);
    await close(output);
    expect(read()).to.equal('[start]\none ä\ntwo\nthree\nfour\n[end]\n');
    expect(released).to.equal(1);
    expect(entries).to.deep.equal([]);
    expect(dropped()).to.equal(0);
  });

  it('the pino writer finds a package in the module directory', async () => {
    const home = process.env['XDG_CONFIG_HOME'];
    process.env['XDG_CONFIG_HOME'] = folder;
    try {
      const place = join(folder, 'sluice/modules/node_modules/pino-here');
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'package.json'), '{"name":"pino-here","version":"1.0.0","main":"main.cjs"}');
      writeFileSync(join(place, 'main.cjs'), transport);
      const output = await (await provision({ target: 'pino-here', options: { file } })).open();
      output.write('here\n', 1);
      await output.close();
    } finally {
      if (home === undefined) delete process.env['XDG_CONFIG_HOME'];
      else process.env['XDG_CONFIG_HOME'] = home;
    }
    expect(read()).to.contain('here\n');
  });

  it("the pino writer supports pino's file transport", async () => {
    const output = await (await provision({ target: 'pino/file', options: { destination: file } })).open();
    output.write('{"msg":"x"}\n', 1);
    await output.close();
    expect(read()).to.equal('{"msg":"x"}\n');
  });

  it('the pino writer rejects transports that are missing or fail to start', async () => {
    expect(await refusal(provision({ target: 'pino-nowhere' }))).to.contain('"pino-nowhere" is not installed');
    expect(await refusal(provision({}))).to.contain('target is missing');
    writeFileSync(join(folder, 'broken.cjs'), 'throw new Error("broken from the start")');
    const writer = await provision({ target: join(folder, 'broken.cjs') });
    expect(await refusal(Promise.resolve(writer.open()))).to.contain('broken from the start');
  });

  it('the pino writer restarts a transport whose thread exits, reports the restart, and counts lost lines', async () => {
    const output = await open();
    output.write('before\n', 1);
    await until(() => read().includes('before'));
    output.write('die\nwith it\n', 2);
    await until(() => entries.some(({ message }) => message === 'log transport stopped; restarting it'));
    output.write('after\n', 1);
    await until(() => read().includes('after'));
    expect(read()).to.equal('[start]\nbefore\n[start]\nafter\n');
    expect(dropped()).to.equal(2);
    expect(entries.map(({ message }) => message)).to.include('log transport is running again');
  });

  it('the pino writer queues lines for a slow transport up to the limit, and then drops and counts further lines', async () => {
    const output = await open({ hold: 20 }, { max_queue_mb: 1 });
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 4096; i++) {
      output.write(line, 1);
      if (i % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(dropped()).to.be.within(1024, 4096);
  });

  it('the pino writer does not wait indefinitely for a transport that does not stop @long', async () => {
    const output = await open({ hold: 1_000_000 });
    output.write(`${'x'.repeat(4096)}\n`, 1);
    output.write('more\n', 1);
    const began = performance.now();
    await close(output);
    expect(performance.now() - began).to.be.below(15_000);
  });
});
