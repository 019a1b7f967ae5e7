/** Handler that sends copies of requests to other upstreams and discards their responses. */
import {
  isHttpError,
  isStreamingRequest,
  isUpstreamError,
  type Exchange,
  type HttpHandler,
  type Next,
  type Watch,
} from '@sluice/http-app';
import type { ProxyUpstream } from '../reverse_proxy/proxy-upstream.ts';
import { selectUpstream } from '../reverse_proxy/select-upstream.ts';
import type { MirrorResult } from './metrics.ts';
import type { MirrorParts } from './mirror-parts.ts';
import { MirroredRequest } from './mirrored-request.ts';

/** Index of the shared counter for copies in flight, across all threads. */
const inFlight = 0;

export class Mirror implements HttpHandler {
  readonly #parts: MirrorParts;
  readonly #requests = new Set<MirroredRequest>();

  constructor(parts: MirrorParts) {
    this.#parts = parts;
  }

  /** Returns a handler for dry runs, which does not send copies. */
  watched({ rehearsal }: Watch): HttpHandler {
    return rehearsal === null ? this : { handle: (exchange, next) => next(exchange) };
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { share, random } = this.#parts;
    if (random() >= share) return next(exchange);
    const copy = this.#copy(exchange);
    if (copy === null) return next(exchange);
    try {
      return next(exchange);
    } finally {
      copy.release();
    }
  }

  /** Returns a copy of the request to send. Returns `null` if the request is not mirrored. Never throws. */
  #copy(exchange: Exchange): MirroredRequest | null {
    const { policy, upstreams, maxBody, metrics } = this.#parts;
    const { body } = exchange;
    const reason = isStream(exchange)
      ? 'skipped'
      : body.length > maxBody || (body.buffered()?.length ?? 0) > maxBody
        ? 'too_large'
        : body.consumed && body.buffered() === null
          ? 'incomplete'
          : this.#enter()
            ? null
            : 'full';
    if (reason !== null) {
      metrics?.count(reason);
      return null;
    }
    let upstream: ProxyUpstream | null = null;
    try {
      upstream = selectUpstream(policy, upstreams, exchange, null);
      if (upstream !== null) {
        const copy = new MirroredRequest(exchange, this.#parts, upstream, this.#over);
        this.#requests.add(copy);
        if (body.length !== 0) copy.copyBody();
        return copy;
      }
    } catch (error) {
      upstream?.leave();
      // Placeholders can result in invalid addresses and URIs. Such errors are not reported as faults.
      if (!isUpstreamError(error) && !isHttpError(error)) exchange.reportFault(error);
    }
    this.#leave('error');
    return null;
  }

  readonly #over = (copy: MirroredRequest, result: MirrorResult): void => {
    this.#requests.delete(copy);
    this.#leave(result);
  };

  #enter(): boolean {
    const { cell, maxConcurrent } = this.#parts;
    if (cell.enter(inFlight) <= maxConcurrent) return true;
    cell.leave(inFlight);
    return false;
  }

  #leave(result: MirrorResult): void {
    this.#parts.cell.leave(inFlight);
    this.#parts.metrics?.count(result);
  }

  /** Cancels all copies in flight. */
  close(): void {
    for (const copy of [...this.#requests]) copy.cancel();
  }
}

/** Reports whether the request or response body may be endless. Clients that expect an event stream specify its type in `Accept`. */
function isStream(exchange: Exchange): boolean {
  return isStreamingRequest(exchange) || exchange.headers.get('accept')?.startsWith('text/event-stream') === true;
}
