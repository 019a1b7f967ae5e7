/** The `reverse_proxy` handler. Each configured handler has one instance. */
import { watchedResponseHandlers, type Exchange, type HttpHandler, type Next, type Watch } from '@sluice/http-app';
import { Forward } from './forward.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { rehearsedParts } from './rehearsal/rehearsed-parts.ts';

export class ReverseProxy implements HttpHandler {
  readonly #parts: ProxyParts;

  constructor(parts: ProxyParts) {
    this.#parts = parts;
  }

  watched(watch: Watch): HttpHandler {
    const parts = {
      ...this.#parts,
      responseHandlers: watchedResponseHandlers(this.#parts.responseHandlers, watch),
    };
    return new ReverseProxy(watch.rehearsal === null ? parts : rehearsedParts(parts, watch, watch.rehearsal));
  }

  handle(exchange: Exchange, next: Next): Promise<void> {
    return new Forward(this.#parts, exchange, next).run();
  }
}
