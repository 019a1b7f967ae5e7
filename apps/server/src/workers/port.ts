/** Node's ends of a pipe between threads as the registry's channel wants them. */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { ThreadPort } from '@sluice/registry';

/** Wraps a worker (in the control thread) or the parent's port (in the worker). */
export function portOf(end: Worker | MessagePort): ThreadPort {
  return {
    post: (message) => end.postMessage(message, []),
    receive: (listener) => {
      end.on('message', listener);
    },
  };
}
