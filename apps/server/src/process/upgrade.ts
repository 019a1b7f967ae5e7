/**
 * Zero-downtime upgrades. This process starts the program on disk, which inherits the listening sockets and the configuration.
 *
 * Once the new process serves requests, this process stops accepting connections, completes requests in flight, and exits. If the new
 * process does not start, this process continues unchanged.
 */
import type { ChildProcess } from 'node:child_process';
import { SluiceError, taskOf, unawaited, type Logger, type SocketDescriptors } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { spawnSuccessor, type HandedConfig } from './handover.ts';
import type { ServiceManager } from './service-manager.ts';

/** Maximum time until the new process serves requests, in milliseconds. */
const timeout = 60_000;
/** Time during which clients are asked to reconnect, in milliseconds. */
const leaveTime = 5000;

/** Parts of the control plane that an upgrade requires. */
export interface Upgradable {
  readonly reconciler: Reconciler;
  sockets(): Promise<SocketDescriptors>;
  endRollout(reason: string): Promise<void>;
  leave(timeout: number): Promise<void>;
}

export interface UpgradeOptions {
  readonly control: Upgradable;
  readonly log: Logger;
  readonly manager: ServiceManager | null;
  /** Returns the active configuration for the new process. */
  config(): HandedConfig;
  /** Shuts down this process gracefully. Called once the new process serves requests and this process has stopped accepting connections. */
  readonly stop: () => void;
}

/** Zero-downtime upgrade of a server. It can succeed only once. */
export class Upgrade {
  readonly #options: UpgradeOptions;
  #running: Promise<number> | null = null;
  #done = false;

  constructor(options: UpgradeOptions) {
    this.#options = options;
  }

  /** True if the new process has taken over. */
  get done(): boolean {
    return this.#done;
  }

  /** Starts the new process. Resolves to its PID when it is ready. If the start fails, the promise rejects and this process continues. */
  start(): Promise<number> {
    this.#running ??= this.#run().catch((error: unknown) => {
      this.#running = null;
      throw error;
    });
    return this.#running;
  }

  async #run(): Promise<number> {
    const { control, log, manager, config } = this.#options;
    if (process.platform === 'win32') throw refused('sockets cannot be handed over on Windows', 501);
    const { reconciler } = control;
    // End the rollout first, because the new process starts with the saved configuration.
    await control.endRollout('the server is being upgraded');
    const child = await reconciler.exclusive(async () => {
      if (reconciler.unconfirmed !== null)
        throw refused('a change is waiting for confirmation; confirm or revert it before the upgrade', 409);
      const sockets = await control.sockets();
      log.info('starting new process to take over', { program: process.execPath, sockets: sockets.length });
      manager?.notify('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
      try {
        const successor = spawnSuccessor(sockets, config());
        await untilServing(successor);
        reconciler.hooks.proposed.tap('upgrade', () => {
          throw refused('a new process has taken over; retry the request', 503);
        });
        return successor;
      } catch (error) {
        manager?.notify('READY=1', 'STATUS=upgrade failed');
        throw error;
      }
    });
    const { pid = 0 } = child;
    this.#done = true;
    log.info('new process is serving requests; this process is completing its in-flight requests', { pid });
    manager?.notify(`MAINPID=${pid}`, 'READY=1');
    child.unref();
    unawaited(taskOf('process'), this.#leave(child));
    return pid;
  }

  async #leave(child: ChildProcess): Promise<void> {
    await this.#options.control.leave(leaveTime);
    if (child.connected) child.disconnect();
    this.#options.stop();
  }
}

/** Resolves when the new process reports that it serves requests. */
function untilServing(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      child.off('exit', ended).off('message', served);
    };
    const fail = (reason: string): void => {
      end();
      reject(refused(`the new process ${reason}; this process continues to serve requests`, 500));
    };
    const failed = ({ message }: Error): void => fail(`could not be started: ${message}`);
    const ended = (code: number | null, signal: string | null): void =>
      fail(`exited immediately (${signal ?? `exit code ${code}`})`);
    const served = (): void => {
      end();
      resolve();
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`was not serving requests after ${timeout / 1000} s`);
    }, timeout);
    child.on('error', failed).on('exit', ended).on('message', served);
  });
}

function refused(message: string, status: number): SluiceError {
  return new SluiceError('ERR_UPGRADE', message, { status });
}
