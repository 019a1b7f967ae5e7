/**
 * The net below all guards: an exception that escaped them, such as one in a callback that a third-party module registered
 * by itself. By then it is not known whose work it was. It is logged and counted, and the thread goes on: what is shared
 * between requests is changed in single steps, so that the work that broke off is what suffers, and its time limits and
 * the end of its connection release it. To end the thread would fail all requests that run in it, and whoever can provoke
 * the exception could do that again and again. What the engine itself can't survive, such as memory that is used up,
 * does not come by here: it ends a worker, which the pool replaces.
 */
import { reportFault } from '@sluice/base';

/** Catches what escapes in this thread. Gives the function that ends it. */
export function catchEscapes(): () => void {
  const onEscape = (error: unknown): void => reportFault({ part: 'thread', error });
  process.on('uncaughtException', onEscape);
  process.on('unhandledRejection', onEscape);
  return () => {
    process.off('uncaughtException', onEscape);
    process.off('unhandledRejection', onEscape);
  };
}
