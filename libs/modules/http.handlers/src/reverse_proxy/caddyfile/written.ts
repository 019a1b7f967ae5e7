/** Converts parts of a reverse proxy to words and lines of a Caddyfile. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, objectAt, words } from '@sluice/caddyfile';

/** Matches addresses that can be part of a URL. Placeholders and socket paths cannot. */
const plainAddress = /^(?:[\w.-]+|\[[\da-f:]+\]):\d+$/;

/** Returns the scheme of the upstreams, and the transport options that the scheme does not imply. */
function transportOf(handler: JsonObject): { readonly scheme: string; readonly transport: Json | undefined } {
  const { transport } = handler;
  const { protocol, ...options } = objectAt(transport, []);
  const { tls, versions, ...others } = options;
  const dials = listAt(handler, ['upstreams']).flatMap((each) => words(objectAt(each, [])['dial']));
  const isPlain = dials.length > 0 && dials.every((dial) => plainAddress.test(dial));
  const hasPort = (port: string): boolean => dials.some((dial) => dial.endsWith(`:${port}`));
  if (protocol !== 'http' || !isPlain) return { scheme: '', transport };
  if (!hasPort('80') && isObject(tls) && Object.keys(tls).length === 0) {
    const rest = versions === undefined ? others : { ...others, versions };
    return { scheme: 'https://', transport: Object.keys(rest).length > 0 ? { protocol, ...rest } : undefined };
  }
  if (!hasPort('443') && Object.keys(options).length === 1 && words(versions).join() === 'h2c,2')
    return { scheme: 'h2c://', transport: undefined };
  return { scheme: '', transport };
}

/** Returns the transport options that the scheme of the upstreams does not imply. */
export function ownTransport(handler: JsonObject): Json | undefined {
  return transportOf(handler).transport;
}

/** Returns the upstreams with their scheme. The default network is written as `TCP/`, because the parser would remove `tcp/`. */
export function upstreamWords(handler: JsonObject): string[] {
  const { scheme } = transportOf(handler);
  return listAt(handler, ['upstreams']).map((each) => {
    const dial = words(objectAt(each, [])['dial']).join('');
    return scheme + dial.replace(/^tcp\//, 'TCP/');
  });
}
