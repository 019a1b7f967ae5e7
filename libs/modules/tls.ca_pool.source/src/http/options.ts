/** Options of `tls.ca_pool.source.http`. */
import { boolean, choice, duration, inlineModule, options, string } from '@sluice/registry';
import { caPoolSources } from '@sluice/contracts';

/** TLS options for the endpoints. */
export const tlsOptions = options({
  ca: inlineModule("Trusted certificate authorities. Default: the system's authorities.", caPoolSources, 'provider'),
  insecure_skip_verify: boolean('Disable certificate verification. Do not use in production.'),
  handshake_timeout: duration('Timeout for connecting and for the handshake. Default: 10s.'),
  server_name: string('Server name for certificate verification.'),
  renegotiation: choice('Accepted but ignored: this server does not support renegotiation.', [
    'never',
    'once',
    'freely',
  ]),
});
