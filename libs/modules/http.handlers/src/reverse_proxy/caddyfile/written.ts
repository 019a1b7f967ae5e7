/** Parts of reverse proxies as words and lines. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, objectAt, words } from '@sluice/caddyfile';

/** Reports whether a URL can represent an address: without placeholders, not a socket path. */
const plainAddress = /^(?:[\w.-]+|\[[\da-f:]+\]):\d+$/;

/** The scheme of the upstreams, which says the usual transports, and the transport that is left to write. */
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

/** The transport that the scheme of the upstreams doesn't say. */
export function ownTransport(handler: JsonObject): Json | undefined {
  return transportOf(handler).transport;
}

/** The upstreams, with their scheme. The usual network is only kept where it is not written as usual. */
export function upstreamWords(handler: JsonObject): string[] {
  const { scheme } = transportOf(handler);
  return listAt(handler, ['upstreams']).map((each) => {
    const dial = words(objectAt(each, [])['dial']).join('');
    return scheme + dial.replace(/^tcp\//, 'TCP/');
  });
}
