/** Header fields of a response on their way from the upstream to the client. */
import type { HeaderMap } from '@sluice/http1';
import { listedTokens } from '@sluice/base';

/** Fields that belong to the connection of the upstream, or speak of its other addresses. */
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

/** Fields that the connection itself names as its own; `null` for none. */
function namedByConnection(headers: HeaderMap): readonly string[] | null {
  const connection = headers.joined('connection');
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return listedTokens(connection);
}

/** Takes out what goes no further than to us. `trailers`: trailers may follow, so that their announcement stays. */
export function dropConnectionFields(headers: HeaderMap, trailers: boolean): void {
  const named = namedByConnection(headers);
  headers.deleteWhere(
    (name) => dropped.has(name) || (name === 'trailer' && !trailers) || (named !== null && named.includes(name)),
  );
}

/**
 * Adds the fields of a response to those that handlers have set before, without {@link dropConnectionFields what goes no
 * further}. Server and Date are the upstream's; without a Server of its own there is none. `via` is our own Via value,
 * ahead of those of others.
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
