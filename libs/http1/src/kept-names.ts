/** Names of request fields with `_` or `.`, which CGI-like upstreams take for others: only those that a server keeps pass. */
import type { HeaderMap } from './header-map.ts';

/** Whether a name has to be among the kept ones. */
export function isIrregular(name: string): boolean {
  return name.includes('_') || name.includes('.');
}

/** Where `x_y` was kept, its twin `x-y` is dropped: both become one name for whoever turns signs into underscores. */
export function dropTwins(headers: HeaderMap): void {
  const kept = headers.names.filter(isIrregular);
  for (const name of kept) headers.delete(name.replaceAll('_', '-').replaceAll('.', '-'));
}
