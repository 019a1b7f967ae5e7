/**
 * Queues requests that arrive before the configuration is ready. The endpoint binds its address early, but loading thousands of routes
 * takes seconds. Because requests are queued, clients such as deployment scripts need no retry loop. The waiting time is limited.
 */
import { guarded, taskOf } from '@sluice/base';
import type { ApiRequest } from '../messages/request.ts';
import type { ApiResponse } from '../messages/response.ts';
import { sendUnavailable } from '../http/send.ts';
import type { Binding } from './binding.ts';

/** Default maximum waiting time of a request, in milliseconds. */
export const defaultTimeout = 30_000;

/** Maximum number of waiting requests. Each waiting request occupies a connection. */
const maxWaiting = 1_000;

interface WaitingRequest {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly binding: Binding;
  readonly timer: NodeJS.Timeout;
}

/** Requests that wait for one endpoint, in order of arrival. */
export class WaitingRequests {
  readonly #timeout: number;
  readonly #waiting = new Set<WaitingRequest>();

  /** `timeout` is the maximum waiting time of each request, in milliseconds. */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Queues a request. Rejects the request with status 503 after the timeout, or if too many requests are waiting. */
  add(request: ApiRequest, response: ApiResponse, binding: Binding): void {
    if (this.#waiting.size >= maxWaiting) {
      sendUnavailable(response, `the server is starting, and ${maxWaiting} requests are already waiting; retry later`);
      return;
    }
    const giveUp = guarded(taskOf('admin'), () => {
      this.#waiting.delete(entry);
      const seconds = this.#timeout / 1000;
      sendUnavailable(response, `the server is still starting: its configuration was not loaded within ${seconds} s`);
    });
    const timer = setTimeout(giveUp, this.#timeout);
    const entry: WaitingRequest = { request, response, binding, timer };
    this.#waiting.add(entry);
    response.on('close', () => this.#remove(entry));
  }

  /** Calls `serve` for each waiting request. If `serve` returns true, removes the request from the queue. */
  retry(serve: (request: ApiRequest, response: ApiResponse, binding: Binding) => boolean): void {
    for (const entry of this.#waiting) if (serve(entry.request, entry.response, entry.binding)) this.#remove(entry);
  }

  /** Rejects the waiting requests of a binding that will not become active. */
  refuse(binding: Binding): void {
    for (const entry of this.#waiting) {
      if (entry.binding !== binding) continue;
      this.#remove(entry);
      sendUnavailable(entry.response, 'the configuration that contains this admin address was not loaded');
    }
  }

  #remove(entry: WaitingRequest): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
  }
}
