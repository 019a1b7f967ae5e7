/** Terminates a worker whose event loop blocks while it provisions a configuration, for example because a module loops endlessly. */
import { guarded, isSluiceError, SluiceError, taskOf, unawaited, type Logger } from '@sluice/base';
import { threadExited } from './channel.ts';
import { protocol, type PrepareRequest } from './protocol.ts';
import type { SpawnedThread } from './spawned-thread.ts';

/** Interval between pings to a worker, and timeout for each response, in milliseconds. */
export interface ProvisionPulse {
  readonly every: number;
  readonly timeout: number;
}

interface Watched {
  /** Resolves when the worker's event loop has responded to a ping. */
  ping(): Promise<unknown>;
  /** Called once, when a ping response is overdue. */
  stalled(silent: number): void;
}

const task = taskOf('threads');

/**
 * Settles with the result of `work`. Terminates the worker if it stops responding in the meantime. Counts pings instead of elapsed time.
 * Otherwise, resuming a suspended process would terminate its workers.
 */
async function watchProvision<T>(
  work: Promise<T>,
  { every, timeout }: ProvisionPulse,
  { ping, stalled }: Watched,
): Promise<T> {
  let unanswered = 0;
  let asked = false;
  const ask = async (): Promise<void> => {
    asked = true;
    await ping().catch(() => undefined); // If the worker has exited, `work` itself fails.
    unanswered = 0;
    asked = false;
  };
  const look = (): void => {
    if (!asked) unawaited(task, ask());
    else if (++unanswered * every >= timeout) {
      clearInterval(timer);
      stalled(unanswered * every);
    }
  };
  const timer = setInterval(guarded(task, look), every);
  if (every > 0) look();
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** A configuration change to prepare in one thread. */
interface Preparation {
  readonly thread: number;
  readonly spawned: SpawnedThread;
  readonly request: PrepareRequest;
  readonly pulse: ProvisionPulse;
  readonly log: Logger;
}

/**
 * Prepares a change in one thread. Rejects with ERR_WORKER_DIED if the thread was terminated because its event loop was blocked.
 *
 * If the event loop was blocked before the change started, the thread is replaced and the change is not rejected.
 */
export async function prepareWatched({ thread, spawned, request, pulse, log }: Preparation): Promise<void> {
  let silent: number | null = null;
  const stalled = (milliseconds: number): void => {
    silent = milliseconds;
    const fields = { worker: thread, silent_ms: milliseconds };
    log.error('worker is unresponsive while provisioning a configuration; terminating it', fields);
    unawaited(task, spawned.terminate());
  };
  const ping = (): Promise<unknown> => spawned.channel.ask(protocol.ping, null);
  let began = false;
  // Messages are processed in order, so the first ping response shows that the thread has started on the change.
  void ping().then(
    () => (began = true),
    () => undefined,
  );
  try {
    await watchProvision(spawned.channel.ask(protocol.prepare, request), pulse, { ping, stalled });
  } catch (error) {
    if (silent === null || !began || !isGone(error)) throw error;
    const message = `worker ${thread} did not respond for ${String(silent)} ms while provisioning the configuration and was terminated; nothing was changed; check its modules for an endless loop`;
    throw new SluiceError('ERR_WORKER_DIED', message, { cause: error });
  }
}

/** Reports whether an error indicates that the thread has exited. */
export function isGone(error: unknown): boolean {
  return isSluiceError(error) && error.code === threadExited;
}
