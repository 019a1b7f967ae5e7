/**
 * Requests that arrive before the configuration is ready. The endpoint is bound early, and with thousands of routes,
 * loading takes seconds. Waiting requests spare clients, such as deployment scripts, a retry loop. The wait is limited.
 */
import { guarded, taskOf } from '@sluice/base';
import type { ApiRequest } from '../messages/request.ts';
import type { ApiResponse } from '../messages/response.ts';
import { sendUnavailable } from '../http/send.ts';
import type { Binding } from './binding.ts';

/** Default time that a request waits, in milliseconds. */
export const defaultTimeout = 30_000;

/** Maximum number of waiting requests. Each occupies a connection. */
const maxWaiting = 1_000;

interface WaitingRequest {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly binding: Binding;
  readonly timer: NodeJS.Timeout;
}

/** Requests waiting at one endpoint, in order of arrival. */
export class WaitingRequests {
  readonly #timeout: number;
  readonly #waiting = new Set<WaitingRequest>();

  /** `timeout` is the maximum wait per request, in milliseconds. */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Adds a request. If the request waits too long, or too many requests are waiting, rejects it with status 503. */
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

  /** Serves all waiting requests for which `serve` returns true. */
  retry(serve: (request: ApiRequest, response: ApiResponse, binding: Binding) => boolean): void {
    for (const entry of this.#waiting) if (serve(entry.request, entry.response, entry.binding)) this.#remove(entry);
  }

  /** Rejects requests of an address that won't become active. */
  refuse(binding: Binding): void {
    for (const entry of this.#waiting) {
      if (entry.binding !== binding) continue;
      this.#remove(entry);
      sendUnavailable(entry.response, 'the configuration with this admin address was not loaded');
    }
  }

  #remove(entry: WaitingRequest): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
  }
}
