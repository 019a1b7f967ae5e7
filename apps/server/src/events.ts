/** Events of the server and of its worker threads. */
import { declareEvent } from '@sluice/registry';
import type { EventHub } from '@sluice/telemetry';
import type { ThreadChange } from '@sluice/threads';

const worker = 'Thread number.';

export const started = declareEvent({
  origin: '',
  name: 'started',
  help: 'The server has started and is serving requests.',
  data: { workers: 'Number of worker threads.', pid: 'Process ID.' },
});

export const stopping = declareEvent({
  origin: '',
  name: 'stopping',
  help: 'The server is shutting down. Event handlers have three seconds to finish.',
  data: {},
});

export const workerExited = declareEvent({
  origin: 'workers',
  name: 'worker_exited',
  help: 'A worker thread exited unexpectedly and is being replaced.',
  data: { worker, reason: 'Reason for the exit.' },
});

export const workerReplaced = declareEvent({
  origin: 'workers',
  name: 'worker_replaced',
  help: 'The replacement for a worker thread is serving requests.',
  data: { worker, after: 'Downtime of the worker thread, in milliseconds.' },
});

export function emitWorkerChange(events: EventHub, change: ThreadChange): void {
  const { worker: thread } = change;
  if (change.name === 'worker_exited')
    void events.emitDeclared(workerExited, { worker: thread, reason: change.reason });
  else void events.emitDeclared(workerReplaced, { worker: thread, after: change.after });
}
