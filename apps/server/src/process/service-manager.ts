/**
 * What systemd is told of this process, as sd_notify(3) has it: that it serves, loads a configuration, or stops, and that it
 * still runs. It is told where `NOTIFY_SOCKET` is set, as it is for units of `Type=notify`.
 */
import { guarded, sendUnixDatagram, taskOf, type Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';

/** Origins of changes of single values by the admin API: there are many, and each is too small to be a reload. */
const small = /^[A-Z]+ \/(?:config|id)\b/;
/** After all other taps: one that refuses a change ends it, and there was no reload. */
const last = 1000;

/** Environment of a process that systemd started. */
export interface ServiceEnvironment {
  readonly NOTIFY_SOCKET?: string | undefined;
  /** The process must be heard of within so many microseconds, or it is ended. */
  readonly WATCHDOG_USEC?: string | undefined;
  /** The process that this is meant for. */
  readonly WATCHDOG_PID?: string | undefined;
}

/** Speaks to systemd. */
export class ServiceManager {
  readonly #socket: string;
  readonly #log: Logger;
  #reported = false;

  constructor(socket: string, log: Logger) {
    this.#socket = socket;
    this.#log = log;
  }

  /** Gives `null` if the environment says that systemd does not want to hear. */
  static of({ NOTIFY_SOCKET: socket = '' }: ServiceEnvironment, log: Logger): ServiceManager | null {
    return socket === '' ? null : new ServiceManager(socket, log);
  }

  /** It serves. `status` is a line for people, which `systemctl status` shows. */
  ready(status: string): void {
    this.tell('READY=1', `STATUS=${status}`);
  }

  /** Tells of whole configurations that are loaded from now on. */
  follow({ proposed, committed, refused }: Reconciler['hooks']): void {
    let loading = false;
    const end = (...lines: string[]): void => {
      if (loading) this.tell('READY=1', ...lines);
      loading = false;
    };
    proposed.tap({ name: 'systemd', stage: last }, ({ origin }) => {
      loading = !small.test(origin);
      if (loading) this.tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
    });
    committed.tap('systemd', () => end('STATUS=a configuration was loaded'));
    refused.tap('systemd', (error) => end(`STATUS=a configuration was refused: ${firstLine(error)}`));
  }

  /** It stops: what is under way is finished. */
  stopping(): void {
    this.tell('STOPPING=1');
  }

  /**
   * Tells that it runs, twice in the time that systemd gives. A control thread that hangs does not; workers that hang are
   * replaced by the pool. Returns what ends it.
   */
  watch(environment: ServiceEnvironment): () => void {
    const interval = watchdogInterval(environment);
    if (interval === null) return () => undefined;
    const timer = setInterval(
      guarded(taskOf('process'), () => this.tell('WATCHDOG=1')),
      interval,
    ).unref();
    return () => clearInterval(timer);
  }

  /** Sends lines. Where that fails it is logged once: a server that serves is worth more than one that is heard of. */
  tell(...lines: string[]): void {
    if (sendUnixDatagram(this.#socket, lines.join('\n')) === true || this.#reported) return;
    this.#reported = true;
    this.#log.warn('failed to notify systemd', { socket: this.#socket, message: lines[0] });
  }
}

/** Milliseconds between two signs of life: half of what systemd waits; `null` where it does not wait. */
export function watchdogInterval({ WATCHDOG_USEC: time, WATCHDOG_PID: meant }: ServiceEnvironment): number | null {
  const microseconds = Number(time);
  if (!(microseconds > 0) || (meant !== undefined && Number(meant) !== process.pid)) return null;
  return microseconds / 2000;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
