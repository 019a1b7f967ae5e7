/** WAF engine process, one per rule set. The control thread starts it, and all workers share it. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import {
  guarded,
  isObject,
  messageOf,
  parseJsonText,
  taskOf,
  unawaited,
  type JsonObject,
  type Logger,
} from '@sluice/base';
import type { Pooled } from '@sluice/registry';
import { atOriginalPriority } from '@sluice/threads';
import { installedEngine } from './engine-file.ts';

/** Rules and executable of a WAF engine. */
export interface EngineSettings {
  readonly engine: string;
  readonly directives: string;
  readonly include: readonly string[];
  readonly load_owasp_crs: boolean;
}

/**
 * Initial delay before an exited WAF engine is restarted, in milliseconds. The delay doubles with each exit until an engine has run for
 * {@link stableTime}.
 */
const minRestartDelay = 200;
const maxRestartDelay = 30_000;
/** Uptime after which the restart delay of the WAF engine is reset, in milliseconds. */
const stableTime = 60_000;
/** Time to wait for the WAF engine to exit before it is killed, in milliseconds. */
const exitTimeout = 3000;

type Child = ChildProcessByStdio<Writable, Readable, null>;

export class EngineProcess implements Pooled {
  /** Path of the Unix socket to which workers connect. The path stays the same when the engine restarts. */
  readonly socket: string;
  readonly #folder: string;
  readonly settings: EngineSettings;
  readonly #log: Logger;
  #child: Child | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #started = new Date();
  #restarts = 0;
  #lastExit: string | null = null;
  #delay = minRestartDelay;
  onRestart: () => void = () => undefined;
  onClose: () => void = () => undefined;

  private constructor(folder: string, settings: EngineSettings, log: Logger) {
    this.#folder = folder;
    this.socket = join(folder, 'engine.sock');
    this.settings = settings;
    this.#log = log;
  }

  /** Starts a WAF engine. Rejects if the executable is missing or the rules are invalid. */
  static async start(settings: EngineSettings, log: Logger): Promise<EngineProcess> {
    // Only the server's user can access this directory, so the engine's socket needs no authentication.
    const folder = await mkdtemp(join(tmpdir(), 'sluice-waf-'));
    const engine = new EngineProcess(folder, settings, log);
    try {
      await engine.#run();
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get started(): string {
    return this.#started.toISOString();
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Exit code or signal of the most recent engine exit, or `null` if the engine never exited. */
  get lastExit(): string | null {
    return this.#lastExit;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.onClose();
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child !== null) {
      const exited = new Promise((resolve) => child.once('close', resolve));
      // Closing standard input makes the engine exit.
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), exitTimeout);
      await exited;
      clearTimeout(timer);
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #run(): Promise<void> {
    const { engine: given, ...rules } = this.settings;
    const engine = given === '' ? installedEngine() : given;
    return new Promise((resolve, reject) => {
      const child: Child = atOriginalPriority(() => spawn(engine, [], { stdio: ['pipe', 'pipe', 'inherit'] }));
      child.on('error', (error) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') reject(new Error(missing(engine)));
        else reject(new Error(`cannot start the engine ${engine}: ${error.message}`, { cause: error }));
      });
      if (child.pid !== undefined) {
        this.#child = child;
        this.#started = new Date();
      }
      let isReady = false;
      // The `close` event fires after the last line of output, unlike `exit`.
      const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#child = null;
        if (isReady) this.#restartLater(signal ?? code);
        else reject(new Error(`the engine exited (${signal ?? code})`));
      };
      child.on('close', guarded(taskOf('http.handlers.waf'), onClose));
      // Ignore write errors: if the engine exits before it reads its input, the `close` event reports the exit.
      child.stdin.on('error', () => undefined);
      const onLine = guarded(taskOf('http.handlers.waf'), (text: string) => {
        const entry = parseJsonText(text).value;
        if (!isObject(entry)) return;
        if (entry['ready'] === true) {
          isReady = true;
          resolve();
        } else if (typeof entry['error'] === 'string') reject(new Error(entry['error']));
        else this.#write(entry);
      });
      createInterface({ input: child.stdout }).on('line', onLine);
      child.stdin.write(`${JSON.stringify({ ...rules, socket: this.socket })}\n`);
    });
  }

  #restartLater(reason: string | number | null): void {
    if (this.#closed) return;
    this.#lastExit = String(reason);
    if (Date.now() - this.#started.getTime() >= stableTime) this.#delay = minRestartDelay;
    this.#log.error('web application firewall engine exited, restarting', { reason, delay_ms: this.#delay });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => unawaited(taskOf('http.handlers.waf'), this.#restart()), this.#delay);
    this.#delay = Math.min(this.#delay * 2, maxRestartDelay);
  }

  async #restart(): Promise<void> {
    await rm(this.socket, { force: true });
    if (this.#closed) return;
    try {
      await this.#run();
    } catch (error) {
      if (this.#closed) return;
      this.#log.error('failed to restart web application firewall engine', { error: messageOf(error) });
      this.#schedule();
      return;
    }
    this.#restarts++;
    this.onRestart();
    this.#log.info('web application firewall engine restarted', { restarts: this.#restarts });
  }

  #write({ level, message }: JsonObject): void {
    const text = String(message);
    if (level === 'error') this.#log.error(text);
    else if (level === 'warn') this.#log.warn(text);
    else if (level === 'info') this.#log.info(text);
    else this.#log.debug(text);
  }
}

function missing(engine: string): string {
  return `cannot find the engine ${engine}: install a server package that contains it, or build it with \`npm run waf-engine\` in a clone (requires Go) and set "engine" to its path; see docs/guide/waf.md`;
}
