/** The request to the upstream: that of the client, as it is passed on. */
import type { Exchange, HeaderMap, HeaderOperations, RequestBody, UpstreamRequest } from '@sluice/http-app';
import { outgoingBody } from './outgoing-body.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { changedFields, requestFields, takeHost, upgradeOf } from './request-fields.ts';

/** What is sent. A proxied exchange extends it: one object costs less than several. */
export abstract class OutgoingRequest implements UpstreamRequest {
  method = '';
  rawPath = '';
  query: string | null = null;
  host = '';
  headers: HeaderMap;
  body: RequestBody;
  upgrade = '';
  readonly exchange: Exchange;
  /** Fields for any upstream, before the operations for one. */
  #commonHeaders: HeaderMap;
  #commonHost = '';

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.body = exchange.body;
    this.headers = this.#commonHeaders = exchange.headers;
  }

  /** Makes the request for any upstream. */
  protected prepare(parts: ProxyParts): void {
    const { exchange } = this;
    const { trusted, rewrite } = parts;
    const isTrusted =
      (trusted !== null && trusted(exchange.connection.remoteAddress)) ||
      (exchange.server?.isTrustedProxy(exchange) ?? false);
    this.#commonHeaders = this.headers = requestFields(exchange, isTrusted);
    if (exchange.headers.has('upgrade')) this.upgrade = upgradeOf(exchange.headers);
    this.#commonHost = this.host = exchange.host;
    if (rewrite === null) {
      this.method = exchange.method;
      this.rawPath = exchange.rawPath;
      this.query = exchange.query;
    } else this.#rewrite(exchange, rewrite);
    this.body = outgoingBody(exchange, this.method, parts);
  }

  /** Rewrites what is sent; the exchange itself stays as it was. */
  #rewrite(exchange: Exchange, rewrite: NonNullable<ProxyParts['rewrite']>): void {
    const { method, rawPath, query } = exchange;
    try {
      rewrite(exchange);
      this.method = exchange.method;
      this.rawPath = exchange.rawPath;
      this.query = exchange.query;
    } finally {
      exchange.method = method;
      exchange.rawPath = rawPath;
      exchange.query = query;
    }
  }

  /** Changes the fields for the upstream that was chosen: operations may speak of it. */
  protected changeFields(operations: HeaderOperations): void {
    this.headers = changedFields(this.#commonHeaders, this.#commonHost, operations, this.exchange);
    this.host = takeHost(this.headers);
  }
}
