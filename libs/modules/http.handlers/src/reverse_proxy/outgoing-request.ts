/** The request to the upstream: that of the client, as it is passed on. */
import {
  HttpError,
  type DialAddress,
  type Exchange,
  type HeaderOperations,
  type ProxiedRequest,
  type RequestBody,
  type UpstreamRequest,
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
    const { rewrite } = parts;
    this.#commonHeaders = this.headers = requestFields(exchange, parts.isTrusted(exchange));
    if (exchange.headers.has('upgrade')) this.upgrade = upgradeOf(exchange.headers);
    this.#commonHost = this.host = exchange.host;
    this.method = exchange.method;
    this.rawPath = exchange.rawPath;
    this.query = exchange.query;
    rewrite?.(exchange, this);
    if (this.method === 'CONNECT')
      throw new HttpError(501, 'a reverse proxy makes no tunnels: CONNECT is not passed on');
    this.body = outgoingBody(exchange, this.method, parts);
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

  /** Asks the upstream by its own address instead of what the client asked for. */
  protected nameUpstream({ network, hostPort }: DialAddress): void {
    this.host = network === 'unix' ? '' : hostPort;
  }

  /** Changes the fields for the upstream that was chosen: operations may speak of it. */
  protected changeFields(operations: HeaderOperations): void {
    this.headers = changedFields(this.#commonHeaders, this.host, operations, this.exchange);
    this.host = takeHost(this.headers);
  }
}
