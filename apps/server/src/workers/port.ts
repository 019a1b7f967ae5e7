/** Adapts message ports of Node.js to the registry's channels. */
import type { MessagePort } from 'node:worker_threads';
import type { ThreadPort } from '@sluice/threads';

export function portOf(port: MessagePort): ThreadPort {
  return {
    post: (message) => port.postMessage(message),
    receive: (listener) => {
      port.on('message', listener);
    },
  };
}
