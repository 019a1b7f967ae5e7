/** Options of `tls.ca_pool.source.http`. */
import { boolean, choice, duration, inlineModule, options, string } from '@sluice/registry';
import { caPoolSources } from '@sluice/contracts';

/** Options of TLS to the endpoints. */
export const tlsOptions = options({
  ca: inlineModule('Authorities that are trusted. Default: those of the system.', caPoolSources, 'provider'),
  insecure_skip_verify: boolean('Whether any certificate of the endpoint will do. Not for production.'),
  handshake_timeout: duration('Longest time of connection and handshake. Default 10s.'),
  server_name: string('The name that the certificate of the endpoint has to be for.'),
  renegotiation: choice('Accepted, no effect: this server never renegotiates.', ['never', 'once', 'freely']),
});
