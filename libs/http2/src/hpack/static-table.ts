/** HPACK static table (RFC 7541 appendix A). Indexes start at 1. */

/** Number of static table entries. Dynamic entries follow. */
export const staticSize = 61;

/** Static table entries in order, as `name` or `name: value`. */
const entries =
  ':authority|:method: GET|:method: POST|:path: /|:path: /index.html|:scheme: http|:scheme: https|:status: 200|' +
  ':status: 204|:status: 206|:status: 304|:status: 400|:status: 404|:status: 500|accept-charset|' +
  'accept-encoding: gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|' +
  'authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|' +
  'content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|' +
  'if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|' +
  'referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|' +
  'www-authenticate';

/** Names in the static table, by index. Index 0 is unused. */
export const staticNames: readonly string[] = ['', ...entries.split('|').map((entry) => split(entry)[0])];
/** Values in the static table, by index. Empty if an entry has no value. */
export const staticValues: readonly string[] = ['', ...entries.split('|').map((entry) => split(entry)[1])];

/** First index of each name in the static table. */
export const staticIndexes: ReadonlyMap<string, number> = new Map(
  staticNames.map((name, index): [string, number] => [name, index]).reverse(),
);

/**
 * Returns the index of a name and value in the static table, or 0 if the table doesn't contain them. `first` is the first index of the
 * name.
 */
export function staticIndexOf(first: number, value: string): number {
  if (first === 0 || value === '') return 0;
  const name = staticNames[first];
  for (let i = first; staticNames[i] === name; i++) if (staticValues[i] === value) return i;
  return 0;
}

function split(entry: string): [name: string, value: string] {
  const at = entry.indexOf(': ');
  return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 2)];
}
