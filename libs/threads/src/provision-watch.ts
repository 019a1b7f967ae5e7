/** Ends a worker whose event loop does not turn while it provisions a configuration: a module may loop. */
import { guarded, isSluiceError, SluiceError, taskOf, unawaited, type Logger } from '@sluice/base';
import { threadGone } from './channel.ts';
import { protocol, type PrepareRequest } from './protocol.ts';
import type { SpawnedThread } from './spawned-thread.ts';

/** How often a worker is asked whether its event loop turns, and how long it may owe the response, in milliseconds. */
export interface ProvisionPulse {
  readonly every: number;
  readonly patience: number;
}

/** The worker, as the watch needs it. */
interface Watched {
  /** Resolves when the event loop of the worker has turned. */
  ping(): Promise<unknown>;
  /** Called once, when the worker owes a response for too long. */
  stalled(silent: number): void;
}

const task = taskOf('threads');

/**
 * Settles as `work` does, and has the worker ended meanwhile if it does not respond. Counts pulses, not time, so that a process that was
 * stopped for a while ends no worker.
 */
async function watchProvision<T>(
  work: Promise<T>,
  { every, patience }: ProvisionPulse,
  { ping, stalled }: Watched,
): Promise<T> {
  let owed = 0;
  let asked = false;
  const ask = async (): Promise<void> => {
    asked = true;
    await ping().catch(() => undefined); // A worker that is gone fails the work itself.
    owed = 0;
    asked = false;
  };
  const look = (): void => {
    if (!asked) unawaited(task, ask());
    else if (++owed * every >= patience) {
      clearInterval(timer);
      stalled(owed * every);
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

/** What is prepared where. */
interface Preparation {
  readonly thread: number;
  readonly spawned: SpawnedThread;
  readonly request: PrepareRequest;
  readonly pulse: ProvisionPulse;
  readonly log: Logger;
}

/**
 * Has one thread prepare. Rejects with ERR_WORKER_DIED for one that was ended as its event loop stood still. One that stood still before
 * is gone, and nothing of the change is to blame.
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
  // Messages are taken in order: once this one has its response, the thread is at the change.
  void ping().then(
    () => (began = true),
    () => undefined,
  );
  try {
    await watchProvision(spawned.channel.ask(protocol.prepare, request), pulse, { ping, stalled });
  } catch (error) {
    if (silent === null || !began || !isGone(error)) throw error;
    const message = `worker ${thread} did not respond for ${String(silent)} ms while it provisioned the configuration, and was ended; nothing was changed: a module of it loops`;
    throw new SluiceError('ERR_WORKER_DIED', message, { cause: error });
  }
}

/** Whether an error is that of a thread that has ended. */
export function isGone(error: unknown): boolean {
  return isSluiceError(error) && error.code === threadGone;
}
