/**
 * Notifies systemd through sd_notify(3) when the server is ready, reloads or stops. Also sends watchdog notifications.
 *
 * Active if `NOTIFY_SOCKET` is set, as in units with `Type=notify`.
 */
import { guarded, sendUnixDatagram, taskOf, type Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';

/**
 * Matches the origins of admin API changes that affect only a single value. Such changes are too frequent and too small to count as a
 * reload.
 */
const small = /^[A-Z]+ \/(?:config|id)\b/;
/** Run after all other taps, because a change that another tap rejects is not a reload. */
const last = 1000;

/** Environment variables that systemd sets for a process. */
export interface ServiceEnvironment {
  readonly NOTIFY_SOCKET?: string | undefined;
  /** Watchdog timeout, in microseconds. */
  readonly WATCHDOG_USEC?: string | undefined;
  /** ID of the process to which the watchdog timeout applies. */
  readonly WATCHDOG_PID?: string | undefined;
}

/** Client for systemd's notification socket. */
export class ServiceManager {
  readonly #socket: string;
  readonly #log: Logger;
  #reported = false;

  constructor(socket: string, log: Logger) {
    this.#socket = socket;
    this.#log = log;
  }

  /** Returns a client, or `null` if systemd does not expect notifications. */
  static of({ NOTIFY_SOCKET: socket = '' }: ServiceEnvironment, log: Logger): ServiceManager | null {
    return socket === '' ? null : new ServiceManager(socket, log);
  }

  /** Notifies systemd that the server is ready. `systemctl status` shows `status`. */
  ready(status: string): void {
    this.notify('READY=1', `STATUS=${status}`);
  }

  /**
   * Starts notifying systemd of reloads. Each load of a complete configuration after the first one counts as a reload. Call once the first
   * configuration is active.
   */
  follow({ proposed, committed, refused }: Reconciler['hooks']): void {
    let loading = false;
    const end = (...lines: string[]): void => {
      if (loading) this.notify('READY=1', ...lines);
      loading = false;
    };
    proposed.tap({ name: 'systemd', stage: last }, ({ origin }) => {
      loading = !small.test(origin);
      if (loading) this.notify('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
    });
    committed.tap('systemd', () => end('STATUS=configuration loaded'));
    refused.tap('systemd', (error) => end(`STATUS=configuration rejected: ${firstLine(error)}`));
  }

  /** Notifies systemd that the server is shutting down. */
  stopping(): void {
    this.notify('STOPPING=1');
  }

  /**
   * Sends watchdog notifications, twice per timeout. A blocked control thread sends none. The pool replaces blocked workers. Returns a
   * function that stops the notifications.
   */
  watch(environment: ServiceEnvironment): () => void {
    const interval = watchdogInterval(environment);
    if (interval === null) return () => undefined;
    const timer = setInterval(
      guarded(taskOf('process'), () => this.notify('WATCHDOG=1')),
      interval,
    ).unref();
    return () => clearInterval(timer);
  }

  /** Sends lines to systemd. Logs only the first failure, because serving requests is more important. */
  notify(...lines: string[]): void {
    if (sendUnixDatagram(this.#socket, lines.join('\n')) === true || this.#reported) return;
    this.#reported = true;
    this.#log.warn('failed to notify systemd', { socket: this.#socket, message: lines[0] });
  }
}

/** Returns the interval of watchdog notifications in milliseconds, half of systemd's timeout. Returns `null` if no watchdog is configured. */
export function watchdogInterval({ WATCHDOG_USEC: time, WATCHDOG_PID: meant }: ServiceEnvironment): number | null {
  const microseconds = Number(time);
  if (!(microseconds > 0) || (meant !== undefined && Number(meant) !== process.pid)) return null;
  return microseconds / 2000;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
