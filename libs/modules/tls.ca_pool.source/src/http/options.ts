/** Options of `tls.ca_pool.source.http`. */
import { boolean, choice, duration, inlineModule, options, string } from '@sluice/registry';
import { caPoolSources } from '@sluice/contracts';

/** TLS options for the endpoints. */
export const tlsOptions = options({
  ca: inlineModule(
    'Trusted certificate authorities. Default: the authorities of the system.',
    caPoolSources,
    'provider',
  ),
  insecure_skip_verify: boolean('Disable certificate verification. Not for production.'),
  handshake_timeout: duration('Timeout for connection and handshake. Default: 10s.'),
  server_name: string('Server name for certificate verification.'),
  renegotiation: choice('Accepted but ignored: this server never renegotiates.', ['never', 'once', 'freely']),
});
