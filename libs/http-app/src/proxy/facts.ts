/** What an exchange remembers of being proxied. */
import type { Accessor } from '@sluice/base';
import { attachmentKey, type AttachmentKey } from '../exchange/attachments.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '@sluice/http1';

/** A response of an upstream that waits while `handle_response` routes run. */
export interface HeldResponse {
  readonly status: number;
  /** All fields as they came. */
  readonly headers: HeaderMap;
  /** Writes the response with this status to the client. Once only. */
  pass(exchange: Exchange, status: number): Promise<void>;
}

/** The request to the upstream, before operations for one of them: what selection policies choose by. */
export interface ProxiedRequest {
  /** Path and query, as sent by the client or rewritten. */
  readonly target: string;
  readonly query: string | null;
  /** Fields without those of the connection of the client, with those that the proxy adds. */
  readonly headers: HeaderMap;
}

/** What the reverse proxy attaches to an exchange; see {@link proxyFacts}. */
export interface ProxyFacts {
  readonly request: ProxiedRequest;
  /** The value of `{http.reverse_proxy.<name>}`, `undefined` if there is none (now). */
  placeholder(name: string): unknown;
  /** The response that waits, or `null`. */
  readonly held: HeldResponse | null;
}

/** The key of what the reverse proxy knows of an exchange. */
export const proxyFacts: AttachmentKey<ProxyFacts> = attachmentKey<ProxyFacts>('proxy_facts');

/** Resolves what follows `http.reverse_proxy.`. */
export function resolveProxied(rest: string): Accessor<Exchange> {
  return (exchange) => exchange.attached(proxyFacts)?.placeholder(rest);
}
