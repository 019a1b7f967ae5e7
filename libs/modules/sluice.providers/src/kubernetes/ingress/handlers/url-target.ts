/** Target servers that annotations specify by URL. */
import { joinHostPort, type JsonObject } from '@sluice/base';

export interface UrlTarget {
  /** Host of the URL, with an optional port. */
  readonly authority: string;
  /** Path and query of the URL, which can contain variables. */
  readonly uri: string;
  /** The `upstreams` and `transport` options of a reverse proxy. */
  readonly upstream: JsonObject;
}

/** Parses the URL of a target server. Returns `null` if the URL is invalid, or if its host contains variables. */
export function urlTargetOf(text: string): UrlTarget | null {
  const [, scheme = '', authority = '', uri = ''] = /^(https?):\/\/([^/?#$\s]+)([^#\s]*)$/.exec(text) ?? [];
  if (scheme === '') return null;
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  const upstreams = [{ dial: joinHostPort(host, Number(port || (scheme === 'https' ? 443 : 80))) }];
  const upstream = scheme === 'https' ? { upstreams, transport: { protocol: 'http', tls: {} } } : { upstreams };
  return { authority, uri, upstream };
}
