/** The request to the upstream, which is derived from the client request. */
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

export class OutgoingRequest implements UpstreamRequest, ProxiedRequest {
  method = '';
  rawPath = '';
  query: string | null = null;
  host = '';
  headers: HeaderMap;
  body: RequestBody;
  upgrade = '';
  readonly exchange: Exchange;
  /** Headers and host before they are changed for a specific upstream. */
  #commonHeaders: HeaderMap;
  #commonHost = '';

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.body = exchange.body;
    this.headers = this.#commonHeaders = exchange.headers;
  }

  /** Prepares the request. Called before an upstream is selected. */
  prepare(parts: ProxyParts): void {
    const { exchange } = this;
    this.#commonHeaders = this.headers = requestFields(exchange, parts.isTrusted(exchange));
    if (exchange.headers.has('upgrade')) this.upgrade = upgradeOf(exchange.headers);
    this.#commonHost = this.host = exchange.host;
    this.method = exchange.method;
    this.rawPath = exchange.rawPath;
    this.query = exchange.query;
    parts.rewrite?.(exchange, this);
    if (this.method === 'CONNECT') throw new HttpError(501, 'CONNECT is not supported by reverse_proxy');
    this.body = outgoingBody(exchange, this.method, parts);
  }

  /** Path and query. A rewrite may have changed them. */
  get target(): string {
    const { exchange, rawPath, query } = this;
    if (rawPath === exchange.rawPath && query === exchange.query) return exchange.target;
    return query === null ? rawPath : `${rawPath}?${query}`;
  }

  /** Changes the host and headers for an upstream. The header operations may refer to the upstream. */
  changeFor({ network, hostPort }: DialAddress, namesUpstream: boolean, operations: HeaderOperations | null): void {
    if (namesUpstream) this.host = network === 'unix' ? '' : hostPort;
    if (operations === null) return;
    this.headers = changedFields(this.#commonHeaders, this.host, operations, this.exchange);
    this.host = takeHost(this.headers);
  }

  /** Reverts the changes of {@link changeFor} before another attempt. */
  restore(): void {
    this.headers = this.#commonHeaders;
    this.host = this.#commonHost;
  }
}
