/** Signal handling. It is the same as in Caddy, except that Caddy ignores SIGUSR2. */
import { guarded, taskOf, type Logger } from '@sluice/base';

export interface SignalActions {
  /** Shuts down gracefully, then exits with code 0. `signal` is the name of the received signal. */
  stop(signal: string): void;
  exit(code: number): void;
  reload(): void;
  upgrade(): void;
}

/** Exit code when a signal forces an immediate exit. */
const forced = 2;

/**
 * Installs the signal handlers. SIGINT and SIGTERM shut down gracefully, and a second SIGINT exits immediately. SIGQUIT exits immediately,
 * SIGUSR1 reloads, SIGUSR2 upgrades, and SIGHUP is ignored. Returns a function that removes the handlers.
 */
export function handleSignals(actions: SignalActions, log: Logger): () => void {
  let first: NodeJS.Signals | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (first === null) {
      first = signal;
      log.info('shutting down', { signal });
      actions.stop(signal);
    } else if (first === 'SIGINT' && signal === 'SIGINT') {
      log.warn('forced immediate exit', { signal });
      actions.exit(forced);
    }
  };
  const quit = (signal: NodeJS.Signals): void => {
    log.info('exiting immediately', { signal });
    actions.exit(forced);
  };
  const nothing = (signal: NodeJS.Signals): void => log.info('ignoring signal', { signal });
  const handlers: readonly (readonly [NodeJS.Signals, (signal: NodeJS.Signals) => void])[] = [
    ['SIGINT', stop],
    ['SIGTERM', stop],
    ['SIGQUIT', quit],
    ['SIGUSR1', guarded(taskOf('process'), () => actions.reload())],
    ['SIGHUP', nothing],
    ['SIGUSR2', guarded(taskOf('process'), () => actions.upgrade())],
  ];
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
