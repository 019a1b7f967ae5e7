/** The handler: one for each `reverse_proxy` of the configuration. */
import type { Exchange, HttpHandler, Next } from '@sluice/http-app';
import { Forward } from './forward.ts';
import type { ProxyParts } from './proxy-parts.ts';

/** Passes requests on to upstreams. */
export class ReverseProxy implements HttpHandler {
  readonly #parts: ProxyParts;

  constructor(parts: ProxyParts) {
    this.#parts = parts;
  }

  handle(exchange: Exchange, next: Next): Promise<void> {
    return new Promise((resolve, reject) => {
      new Forward(this.#parts, exchange, next).start(resolve, reject);
    });
  }
}
