/**
 * Last resort for uncaught exceptions, for example in a callback that a third-party module registered without a guard. The affected request
 * or connection is unknown here. The exception is logged and counted, and the thread continues. Shared state changes only in single steps,
 * so only the interrupted work is affected. Timeouts or the end of the connection release its resources. If the thread exited, all of its
 * other requests would fail, and a client that can cause the exception could repeat this. Failures that V8 can't survive, such as memory
 * exhaustion, terminate the worker, and the pool replaces it.
 */
import { reportFault } from '@sluice/base';

/** Handles uncaught exceptions of this thread. Returns a function that restores the default. */
export function catchEscapes(): () => void {
  const onEscape = (error: unknown): void => reportFault({ part: 'thread', error });
  process.on('uncaughtException', onEscape);
  process.on('unhandledRejection', onEscape);
  return () => {
    process.off('uncaughtException', onEscape);
    process.off('unhandledRejection', onEscape);
  };
}
