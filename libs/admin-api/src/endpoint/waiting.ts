/**
 * Requests that came before they can be served: the endpoint is bound while the configuration that asked for it is still
 * being prepared, which takes seconds where there are thousands of routes. They wait for it, within bounds, so that a
 * client that begins right after the process, such as a script of a deployment, needs no loop of its own.
 */
import { guarded, taskOf } from '@sluice/base';
import type { ApiRequest } from '../messages/request.ts';
import type { ApiResponse } from '../messages/response.ts';
import { sendUnavailable } from '../http/send.ts';
import type { Binding } from './binding.ts';

/** How long a request waits unless the endpoint is told otherwise, in milliseconds. */
export const defaultPatience = 30_000;

/** How many requests may wait at a time: each holds a connection. */
const mostWaiting = 1_000;

interface WaitingRequest {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly binding: Binding;
  readonly timer: NodeJS.Timeout;
}

/** The requests that wait at one endpoint, in the order they came. */
export class WaitingRequests {
  readonly #patience: number;
  readonly #waiting = new Set<WaitingRequest>();

  /** `patience`: how long each may wait, in milliseconds. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Takes a request in. One that waits too long, or finds too many before it, is refused with status 503. */
  add(request: ApiRequest, response: ApiResponse, binding: Binding): void {
    if (this.#waiting.size >= mostWaiting) {
      sendUnavailable(response, `the server is starting, and ${mostWaiting} requests wait for it already`);
      return;
    }
    const giveUp = guarded(taskOf('admin'), () => {
      this.#waiting.delete(entry);
      const seconds = this.#patience / 1000;
      sendUnavailable(response, `the server is still starting: its configuration was not in force in ${seconds} s`);
    });
    const timer = setTimeout(giveUp, this.#patience);
    const entry: WaitingRequest = { request, response, binding, timer };
    this.#waiting.add(entry);
    response.on('close', () => this.#remove(entry));
  }

  /** Serves those that `serve` can serve now; it says which by returning true. */
  retry(serve: (request: ApiRequest, response: ApiResponse, binding: Binding) => boolean): void {
    for (const entry of this.#waiting) if (serve(entry.request, entry.response, entry.binding)) this.#remove(entry);
  }

  /** Refuses those that came in through an address that is not going to be in force. */
  refuse(binding: Binding): void {
    for (const entry of this.#waiting) {
      if (entry.binding !== binding) continue;
      this.#remove(entry);
      sendUnavailable(entry.response, 'the configuration that names this admin address did not come into force');
    }
  }

  #remove(entry: WaitingRequest): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
  }
}
