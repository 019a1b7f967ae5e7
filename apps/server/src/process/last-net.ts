/**
 * The last resort for uncaught exceptions, for example in a callback that a third-party module registered without a
 * guard. The affected work is unknown at this point.
 *
 * The exception is logged and counted, and the thread continues. Shared state is changed in single steps, so only the
 * interrupted work suffers, and its timeouts or the end of its connection release it.
 *
 * Exiting would fail all other requests of the thread, and a client that can provoke the exception could repeat this.
 *
 * Failures that V8 cannot survive, such as memory exhaustion, terminate the worker instead, and the pool replaces it.
 */
import { reportFault } from '@sluice/base';

/** Catches uncaught exceptions of this thread. Returns a function that stops it. */
export function catchEscapes(): () => void {
  const onEscape = (error: unknown): void => reportFault({ part: 'thread', error });
  process.on('uncaughtException', onEscape);
  process.on('unhandledRejection', onEscape);
  return () => {
    process.off('uncaughtException', onEscape);
    process.off('unhandledRejection', onEscape);
  };
}
