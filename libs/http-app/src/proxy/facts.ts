/** Data that the reverse proxy attaches to an exchange, for use by placeholders and other modules. */
import type { Accessor } from '@sluice/base';
import { attachmentKey, type AttachmentKey } from '../exchange/attachments.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '@sluice/http1';

/** An upstream response that is buffered while `handle_response` routes run. */
export interface HeldResponse {
  readonly status: number;
  /** All response header fields, as received. */
  readonly headers: HeaderMap;
  /** Sends the response with this status to the client. Call at most once. */
  pass(exchange: Exchange, status: number): Promise<void>;
}

/** The request that is sent to upstreams, before upstream-specific operations. Used by selection policies. */
export interface ProxiedRequest {
  /** Path and query of the request, as sent by the client or as rewritten. */
  readonly target: string;
  readonly query: string | null;
  readonly headers: HeaderMap;
}

/** Data that the reverse proxy attaches to an exchange; see {@link proxyFacts}. */
export interface ProxyFacts {
  readonly request: ProxiedRequest;
  /** Returns the value of `{http.reverse_proxy.<name>}`, or `undefined` if it is not available yet. */
  placeholder(name: string): unknown;
  /** Upstream response waiting for `handle_response` routes, or `null`. */
  readonly held: HeldResponse | null;
}

/** Attachment key for the reverse proxy's data. */
export const proxyFacts: AttachmentKey<ProxyFacts> = attachmentKey<ProxyFacts>('proxy_facts');

/** Resolves placeholder names that follow `http.reverse_proxy.`. */
export function resolveProxied(rest: string): Accessor<Exchange> {
  return (exchange) => exchange.attached(proxyFacts)?.placeholder(rest);
}
