/** Node's ends of a pipe between threads as the registry's channel wants them. */
import type { MessagePort } from 'node:worker_threads';
import type { ThreadPort } from '@sluice/threads';

/** Wraps a port. */
export function portOf(port: MessagePort): ThreadPort {
  return {
    post: (message) => port.postMessage(message),
    receive: (listener) => {
      port.on('message', listener);
    },
  };
}
