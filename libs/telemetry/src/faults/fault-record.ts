/** Logs and counts the faults (uncaught exceptions) of the calling thread. */
import { messageOf, createLogger, type Logger, onFault, type Fault } from '@sluice/base';
import type { LogRouter } from '../logging/router.ts';
import { declareCounter } from '../metrics/declare.ts';
import type { Metrics } from '../metrics/families.ts';

/**
 * Maximum number of faults logged per second. Faults beyond this limit are only counted. This prevents a client that triggers faults from
 * filling the disk.
 */
const maxLogged = 20;

const messages: Readonly<Record<Fault['part'], string>> = {
  exchange: 'request failed with an uncaught exception',
  connection: 'connection failed with an uncaught exception',
  task: 'task failed with an uncaught exception',
  log: 'log entry lost due to an uncaught exception',
  thread: 'uncaught exception',
};

export const faultMetric = declareCounter(
  'sluice_faults_total',
  'Total number of uncaught exceptions, by the unit of work that failed.',
  ['part', 'module'],
);

export interface FaultRecordOptions {
  readonly log: Logger;
  /** Router for fault log entries. Entries about a failed log write bypass the configured logs, because those logs may be the cause. */
  readonly router: LogRouter;
  readonly metrics: Metrics;
}

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
    // A fault that occurs while logging another fault is counted but not logged.
    if (recording || ++logged > maxLogged) return;
    recording = true;
    try {
      write(fault.part === 'log' ? fallback : (fault.log ?? log), fault);
    } catch {
      // Ignore logging errors. The fault is already counted, and an error without a readable message must not trigger another fault.
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
