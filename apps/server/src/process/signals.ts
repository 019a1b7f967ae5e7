/** What signals do to a server that runs. The reference has the same meanings, but for SIGUSR2, which does nothing there. */
import { guarded, taskOf, type Logger } from '@sluice/base';

/** What a signal may ask for. */
export interface SignalActions {
  /** Stop gracefully, then end with code 0. */
  stop(signal: string): void;
  /** End at once. */
  exit(code: number): void;
  /** Load the configuration file again. */
  reload(): void;
  /** Have a newer process take over. */
  upgrade(): void;
}

/** Code of an end that was forced. */
const forced = 2;

/**
 * SIGINT and SIGTERM stop gracefully, a second SIGINT at once; SIGQUIT ends at once; SIGUSR1 reloads, SIGUSR2
 * has a newer process take over; SIGHUP does nothing. Returns what ends the handling.
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
