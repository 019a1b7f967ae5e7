/** Headers of the response from the upstream to the client. */
import type { HeaderMap } from '@sluice/http1';
import { listedTokens } from '@sluice/base';

/** Headers that describe the upstream connection. They are not sent to the client. */
const dropped: ReadonlySet<string> = new Set([
  'alt-svc',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the hop-by-hop headers that the Connection header lists, or `null` if it lists none. */
function namedByConnection(headers: HeaderMap): readonly string[] | null {
  const connection = headers.joined('connection');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return listedTokens(connection);
}

/** Removes hop-by-hop headers. If `trailers` is true, keeps the Trailer header. */
export function dropConnectionFields(headers: HeaderMap, trailers: boolean): void {
  const named = namedByConnection(headers);
  headers.deleteWhere(
    (name) => dropped.has(name) || (name === 'trailer' && !trailers) || (named !== null && named.includes(name)),
  );
}

/**
 * Adds the upstream's headers to those set by handlers, except {@link dropConnectionFields hop-by-hop headers}. The upstream determines
 * Server and Date. If it sends no Server header, the response contains none. `via` is this server's Via value, which comes before existing
 * values.
 */
export function copyFields(from: HeaderMap, to: HeaderMap, via: string, trailers: boolean): void {
  to.delete('server');
  to.append('via', via);
  const named = namedByConnection(from);
  for (let i = 0; i < from.size; i++) {
    const name = from.nameAt(i);
    if (dropped.has(name) || (name === 'trailer' && !trailers) || (named !== null && named.includes(name))) continue;
    if (name === 'date') to.set(name, from.valueAt(i));
    else to.append(name, from.valueAt(i));
  }
}
