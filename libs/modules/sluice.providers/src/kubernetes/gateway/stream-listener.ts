/** Listeners that the `layer4` app serves, for the protocols TLS, TCP and UDP. */
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { hostnameRank } from './hostnames.ts';
import { describeListener, type Listener } from './listener.ts';
import { quoteRegExp } from '../../common/text.ts';

/**
 * Returns the fragment that opens the port. It also closes the listener's connections that match no route, so that no other listener
 * handles them.
 */
export function streamListenerFragment(listener: Listener): Fragment {
  const { hostname, certificates } = listener;
  const closing = { match: [streamMatcher(listener, [hostname])], handle: [{ handler: 'close' }] };
  const load_pem = certificates.map(({ certificate, key, tag }) => ({ certificate, key, tags: [tag] }));
  return {
    object: describeListener(listener),
    rank: `${hostnameRank(hostname)} z`,
    config: streamConfig(
      listener,
      listener.protocol === 'TLS' ? [closing] : [],
      load_pem.length === 0 ? {} : { tls: { certificates: { load_pem } } },
    ),
  };
}

export function streamConfig(listener: Listener, routes: readonly Json[], otherApps: JsonObject = {}): JsonObject {
  const listen = `${listener.protocol === 'UDP' ? 'udp/' : ''}${listener.listen}`;
  return { apps: { layer4: { servers: { [`gateway_${listen}`]: { listen: [listen], routes } } }, ...otherApps } };
}

/** Returns a matcher for the server name of TLS connections. The empty hostname matches all names. */
export function streamMatcher({ protocol, reserved }: Listener, hostnames: readonly string[]): JsonObject {
  if (protocol !== 'TLS') return {};
  const matcher = serverNameMatcher(hostnames);
  return reserved.length === 0 ? matcher : { ...matcher, not: reserved.map((each) => serverNameMatcher([each])) };
}

/** Returns a TLS matcher for server names. A wildcard matches one or more labels. All hostnames must have the same rank. */
function serverNameMatcher(hostnames: readonly string[]): JsonObject {
  const [first = ''] = hostnames;
  if (first === '') return { tls: {} };
  if (!first.startsWith('*.')) return { tls: { sni: hostnames } };
  const names = hostnames.map((each) => quoteRegExp(each.slice(1)));
  return { tls: { sni_regexp: { pattern: `^[^.].*(?:${names.join('|')})$` } } };
}

/** Returns the handlers that run before the proxy. They terminate TLS. */
export function terminationOf({ protocol, isPassthrough, certificates }: Listener): readonly JsonObject[] {
  if (protocol !== 'TLS' || isPassthrough) return [];
  const [{ name: fallback } = { name: '' }] = certificates;
  const policy = {
    certificate_selection: { any_tag: certificates.map(({ tag }) => tag) },
    ...(fallback === '' ? {} : { default_sni: fallback, fallback_sni: fallback }),
  };
  return [{ handler: 'tls', connection_policies: [policy] }];
}
