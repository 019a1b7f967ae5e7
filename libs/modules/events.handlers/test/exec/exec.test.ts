import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventsApp, register as registerEvents, type EventsApp } from '@sluice/events-app';
import { register } from '@sluice/events.handlers';
import { createLogger, type Json, type LogEntry } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';

let logged: LogEntry[] = [];
let runtime: Runtime;
const log = createLogger({ enabled: (level) => level !== 'debug', write: (entry) => logged.push(entry) });

async function start(options: Record<string, Json>): Promise<EventsApp> {
  logged = [];
  runtime = new Runtime({
    registry: new Registry().use(registerEvents).use(register),
    roles: { control: true, traffic: true },
    log,
  });
  const handlers = [{ handler: 'exec', ...options }];
  runtime.commit(await runtime.prepare({ apps: { events: { subscriptions: [{ handlers }] } } }));
  return runtime.app(eventsApp) as EventsApp;
}

const node = (script: string, ...args: string[]): Record<string, Json> => ({
  command: process.execPath,
  args: ['-e', script, ...args],
});

describe('events.handlers.exec', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-exec-')));
  });
  afterEach(async () => {
    await runtime.close();
    await rm(folder, { recursive: true });
  });

  const messages = (): string[] => logged.map(({ message }) => message);

  it('the exec event handler passes event data as separate arguments, without a shell', async () => {
    const script = 'require("fs").writeFileSync("out", JSON.stringify([process.cwd(), ...process.argv.slice(1)]))';
    const app = await start({
      ...node(script, '{event.name}', 'x {event.data.text} y', '$HOME; touch {event.data.none}'),
      dir: folder,
      foreground: true,
    });
    await app.emit('a', 'happened', { text: '"; rm -rf * #' });
    expect(JSON.parse(await readFile(join(folder, 'out'), 'utf8'))).to.deep.equal([
      folder,
      'happened',
      'x "; rm -rf * # y',
      '$HOME; touch ',
    ]);
  });

  it('the exec event handler runs programs in the background, unless configured otherwise', async () => {
    const app = await start({ ...node('setTimeout(() => process.exit(3), 200)') });
    const event = await app.emit('a', 'x');
    expect(event.aborted).to.equal(null);
    // If the emitter had waited for the program, it would have logged the exit code.
    expect(messages()).to.deep.equal([]);
    // Closing the handler waits for its running programs.
    await runtime.close();
    expect(logged[0]?.fields).to.include({ event: 'x', code: 3 });
  });

  for (const code of [0, 3, 7]) {
    it(`the exec event handler ${code === 7 ? 'aborts' : 'does not abort'} the event for exit code ${code} with abort_on 7`, async () => {
      const app = await start({ ...node(`console.log("said"); process.exitCode = ${code}`), abort_on: [7, 8] });
      const event = await app.emit('a', 'x');
      expect(event.aborted !== null).to.equal(code === 7);
      expect(logged.map(({ level }) => level)).to.deep.equal([code === 0 ? 'info' : 'error']);
      expect(logged[0]?.fields).to.include({ code, output: 'said\n' });
    });
  }

  it('the exec event handler kills a program on timeout', async () => {
    const app = await start({ ...node('setInterval(() => {}, 1000)'), timeout: '200ms', foreground: true });
    await app.emit('a', 'x');
    expect(logged[0]?.fields).to.include({ code: null, signal: 'SIGKILL', timeout_ms: 200 });
  });

  it('the exec event handler keeps only the end of long output', async () => {
    const app = await start({ ...node('process.stdout.write("a".repeat(100000) + "end")'), foreground: true });
    await app.emit('a', 'x');
    expect(logged[0]?.fields['output']).to.match(/^a{4093}end$/);
  });

  it('the exec event handler logs an error if the program is missing, and the event continues', async () => {
    for (const foreground of [true, false]) {
      const app = await start({ command: join(folder, 'nope'), foreground });
      expect((await app.emit('a', 'x')).aborted).to.equal(null);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(logged.map(({ fields }) => String(fields['error'])))
        .to.match(/ENOENT/)
        .and.have.length(1);
      await runtime.close();
    }
  });

  it('the exec event handler rejects options without a command', async () => {
    const error = await start({}).catch(String);
    expect(error).to.include('apps.events.subscriptions[0].handlers[0].command: command is missing');
  });
});
