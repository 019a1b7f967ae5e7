/** The module `events.handlers.exec`, which runs a program when an event occurs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AbortedError, compileEventText, eventHandlers, type Event, type EventHandler } from '@sluice/events-app';
import { defineModule, type Context } from '@sluice/registry';
import { SluiceError, parseDuration, type Logger } from '@sluice/base';
import { runCommand, type Command, type Outcome } from './command.ts';
import { execOptions, type ExecConfig } from './options.ts';

const defaultTimeout = 30_000;

/** Maximum number of concurrent background programs per handler. */
const maxRunning = 16;

/** Maximum time to wait for running programs when the handler is removed, in milliseconds. */
const grace = 5000;

export const execModule = defineModule(eventHandlers, {
  name: 'exec',
  help: 'Runs a program, without a shell, when an event occurs.',
  config: execOptions,
  provision(config, context): EventHandler {
    const handler = new Exec(config, context);
    context.onDispose(() => handler.close());
    return handler;
  },
});

class Exec implements EventHandler {
  readonly #commandOf: (event: Event) => Command;
  readonly #foreground: boolean;
  readonly #abortOn: ReadonlySet<number>;
  readonly #log: Logger;
  readonly #running = new Set<Promise<Outcome>>();
  readonly #killer = new AbortController();

  constructor(config: ExecConfig, context: Context) {
    if (!config.command) throw context.error('command is missing', 'command');
    const timeout = timeoutOf(config, context);
    const command = compileEventText(config.command);
    const args = (config.args ?? []).map(compileEventText);
    const folder = config.dir ? compileEventText(config.dir) : null;
    this.#commandOf = (event) => ({
      file: command.expand(event),
      args: args.map((each) => each.expand(event)),
      folder: folder?.expand(event),
      timeout,
    });
    this.#abortOn = new Set(config.abort_on ?? []);
    this.#foreground = config.foreground === true || this.#abortOn.size > 0;
    this.#log = context.log;
  }

  handle(event: Event): void | Promise<void> {
    if (this.#foreground) return this.#run(event);
    if (this.#running.size >= maxRunning)
      throw new SluiceError('ERR_EXEC', `${maxRunning} programs are already running; skipping this event`);
    void this.#run(event).catch((error: unknown) =>
      this.#log.error('failed to run command', { event: event.name, error }),
    );
  }

  /** Waits for running programs to exit. Kills them after the timeout. */
  async close(): Promise<void> {
    if (this.#running.size === 0) return;
    const done = new AbortController();
    const all = Promise.allSettled(this.#running).finally(() => done.abort());
    await Promise.race([all, sleep(grace, null, { signal: done.signal }).catch(() => null)]);
    this.#killer.abort();
    await all;
  }

  async #run(event: Event): Promise<void> {
    const command = this.#commandOf(event);
    const running = runCommand(command, this.#killer.signal);
    this.#running.add(running);
    let outcome: Outcome;
    try {
      outcome = await running;
    } finally {
      this.#running.delete(running);
    }
    const { code, signal, late, output } = outcome;
    const good = code === 0;
    this.#log[good ? 'info' : 'error']('command exited', {
      event: event.name,
      command: command.file,
      args: command.args,
      code,
      ...(signal === null ? {} : { signal }),
      ...(late ? { timeout_ms: command.timeout } : {}),
      ...(output === '' ? {} : { output }),
    });
    if (code !== null && this.#abortOn.has(code)) throw new AbortedError(`${command.file} exited with code ${code}`);
  }
}

function timeoutOf({ timeout }: ExecConfig, context: Context): number {
  const time = parseDuration(timeout ?? 0);
  if (time < 0 || time > 2 ** 31 - 1) throw context.error('must not be negative or more than 24 days', 'timeout');
  return time === 0 ? defaultTimeout : time;
}
