/** `http.matchers.tls`: matches requests by properties of their TLS connection. */
import { httpMatchers, type HttpMatcher } from '@sluice/http-app';
import { boolean, defineModule, options } from '@sluice/registry';

export const tlsModule = defineModule(httpMatchers, {
  name: 'tls',
  effect: 'pure',
  help: 'Matches requests received over TLS.',
  config: options({
    handshake_complete: boolean(
      'Required state of the TLS handshake: true = complete, false = incomplete, as for TLS 1.3 early data (RFC 8470). Default: either.',
    ),
  }),
  provision: (config) => tlsMatcher(config.handshake_complete ?? null),
});

/** Matches requests over TLS, optionally with a given handshake state. */
export function tlsMatcher(complete: boolean | null): HttpMatcher {
  if (complete === null) return { match: ({ connection }) => connection.tls !== null };
  return { match: ({ connection }) => connection.tls !== null && connection.tls.handshakeComplete === complete };
}
