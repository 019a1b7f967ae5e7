/** Adapts message ports of Node.js to the registry's channels. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { ThreadPort } from '@sluice/threads';

export interface WorkerPort extends ThreadPort {
  /** Receives all messages that have arrived, and closes the port. Called after the other thread has exited. */
  close(): void;
}

export function portOf(port: MessagePort): WorkerPort {
  let receiver: ((message: unknown) => void) | null = null;
  return {
    post: (message) => port.postMessage(message),
    receive: (listener) => {
      receiver = listener;
      port.on('message', listener);
    },
    close: () => {
      // Node may report the exit of a thread before the last messages of the thread.
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
        receiver?.(next.message as unknown);
      port.close();
    },
  };
}
