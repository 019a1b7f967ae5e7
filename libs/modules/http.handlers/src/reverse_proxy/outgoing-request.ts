/** The request to the upstream: that of the client, as it is passed on. */
import type {
  DialAddress,
  Exchange,
  HeaderOperations,
  ProxiedRequest,
  RequestBody,
  UpstreamRequest,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { outgoingBody } from './outgoing-body.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { changedFields, requestFields, takeHost, upgradeOf } from './request-fields.ts';

/** What is sent. A proxied exchange extends it: one object costs less than several. */
export abstract class OutgoingRequest implements UpstreamRequest, ProxiedRequest {
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

  /** Path and query as the client wrote them, or as they were rewritten. */
  get target(): string {
    const { exchange, rawPath, query } = this;
    if (rawPath === exchange.rawPath && query === exchange.query) return exchange.target;
    return query === null ? rawPath : `${rawPath}?${query}`;
  }

  /** What selection policies choose by. */
  get request(): ProxiedRequest {
    return this;
  }

  /** Takes back the changes for the upstream of the last try. */
  protected restoreFields(): void {
    this.headers = this.#commonHeaders;
    this.host = this.#commonHost;
  }

  /** Asks the upstream by its own address in place of what the client asked for. */
  protected nameUpstream({ network, hostPort }: DialAddress): void {
    this.host = network === 'unix' ? '' : hostPort;
  }

  /** Changes the fields for the upstream that was chosen: operations may speak of it. */
  protected changeFields(operations: HeaderOperations): void {
    this.headers = changedFields(this.#commonHeaders, this.host, operations, this.exchange);
    this.host = takeHost(this.headers);
  }
}
