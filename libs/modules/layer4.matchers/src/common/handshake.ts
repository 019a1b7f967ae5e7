/** TLS handshake matchers, which the matchers `tls` and `quic` contain. */
import { isObject, kindOf, type Json } from '@sluice/base';
import { handshakeMatchers, type ClientHello, type HandshakeMatcher } from '@sluice/contracts';
import type { Layer4Connection } from '@sluice/layer4-app';
import { anything, moduleKeyword, type Context } from '@sluice/registry';
import type { HelloFacts } from '@sluice/tls-app';

/** Options of a matcher that contains handshake matchers. */
export const handshakeOptions = anything({
  type: 'object',
  description: 'Handshake matchers, all of which must match. Default: any handshake matches.',
  [moduleKeyword]: { namespace: handshakeMatchers.id, kind: 'map' },
});

export async function loadHandshakeMatchers(config: Json, context: Context): Promise<HandshakeMatcher[]> {
  if (!isObject(config)) throw context.error(`expected an object of handshake matchers, not ${kindOf(config)}`);
  return [...(await context.loadMap(handshakeMatchers, config)).values()];
}

const versionNames: Readonly<Record<number, string>> = {
  0x0301: 'tls1.0',
  0x0302: 'tls1.1',
  0x0303: 'tls1.2',
  0x0304: 'tls1.3',
};

/** Sets the placeholders of a TLS handshake, and reports whether all matchers match. */
export function matchHello(
  matchers: readonly HandshakeMatcher[],
  facts: HelloFacts,
  connection: Layer4Connection,
  prefix: 'tls' | 'quic.tls',
): boolean {
  connection.setValue(`${prefix}.server_name`, facts.serverName);
  connection.setValue(`${prefix}.version`, versionNames[highest(facts.versions)] ?? '');
  const { remoteAddress, remotePort, localAddress, localPort } = connection.facts;
  const hello: ClientHello = { ...facts, remoteAddress, remotePort, localAddress, localPort };
  return matchers.every((matcher) => matcher.match(hello));
}

/** Returns the highest known TLS version. Ignores reserved values, which clients send to test servers (RFC 8701). */
function highest(versions: readonly number[]): number {
  return Math.max(0, ...versions.filter((version) => version in versionNames));
}
