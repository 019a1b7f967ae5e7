/** Servers that annotations specify by URL. */
import { joinHostPort, type JsonObject } from '@sluice/base';

export interface UrlTarget {
  /** Host with an optional port. */
  readonly authority: string;
  /** The rest of the URL, which can contain variables. */
  readonly uri: string;
  /** Options `upstreams` and `transport`. */
  readonly upstream: JsonObject;
}

/** Returns the parts of a URL; `null` if the URL is invalid, or its host is not fixed. */
export function urlTargetOf(text: string): UrlTarget | null {
  const [, scheme = '', authority = '', uri = ''] = /^(https?):\/\/([^/?#$\s]+)([^#\s]*)$/.exec(text) ?? [];
  if (scheme === '') return null;
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  const upstreams = [{ dial: joinHostPort(host, Number(port || (scheme === 'https' ? 443 : 80))) }];
  const upstream = scheme === 'https' ? { upstreams, transport: { protocol: 'http', tls: {} } } : { upstreams };
  return { authority, uri, upstream };
}
