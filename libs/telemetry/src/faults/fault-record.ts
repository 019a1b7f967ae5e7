/** Logs and counts the faults of a thread. */
import { messageOf, createLogger, type Logger, onFault, type Fault } from '@sluice/base';
import type { LogRouter } from '../logging/router.ts';
import { declareCounter } from '../metrics/declare.ts';
import type { Metrics } from '../metrics/families.ts';

/** Most faults of a second that are logged; the others are counted alone, as whoever provokes them may fill the disk. */
const mostLogged = 20;

const messages: Readonly<Record<Fault['part'], string>> = {
  exchange: 'a request failed by an exception',
  connection: 'a connection failed by an exception',
  task: 'a task failed by an exception',
  log: 'a log entry was lost by an exception',
  thread: 'an exception escaped',
};

/** How many there were. */
export const faultMetric = declareCounter(
  'sluice_faults_total',
  'Exceptions that were caught by a guard, by what they ended.',
  ['part', 'module'],
);

/** What faults are written to. */
export interface FaultRecordOptions {
  readonly log: Logger;
  /** Entries about failed log entries go round its logs, which may be what fails. */
  readonly router: LogRouter;
  readonly metrics: Metrics;
}

/** Begins to record; gives the function that ends it. */
export function recordFaults({ log, router, metrics }: FaultRecordOptions): () => void {
  const family = metrics.family(faultMetric);
  const fallback = createLogger(router.fallback);
  let second = 0;
  let logged = 0;
  let recording = false;
  return onFault((fault) => {
    family.with(fault.part, fault.module).add();
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      second = now;
      logged = 0;
    }
    // An entry that fails in its turn is counted, and no further entry is tried.
    if (recording || ++logged > mostLogged) return;
    recording = true;
    try {
      write(fault.part === 'log' ? fallback : (fault.log ?? log), fault);
    } catch {
      // It is counted; an error without a readable message must not become the next one.
    } finally {
      recording = false;
    }
  });
}

function write(log: Logger, { part, error, module, route }: Fault): void {
  const at = module === '' ? log : log.named(module);
  at.error(messages[part], {
    error: messageOf(error),
    ...(module === '' ? {} : { module }),
    ...(route === '' ? {} : { route }),
    ...(error instanceof Error ? { stack: error.stack } : {}),
  });
}
