/** Options of `tls.ca_pool.source.http`. */
import { boolean, choice, duration, inlineModule, options, string } from '@sluice/registry';
import { caPoolSources } from '@sluice/contracts';

/** TLS options for downloads from the endpoints. */
export const tlsOptions = options({
  ca: inlineModule(
    "Trusted certificate authorities for connections to the endpoints. Default: the system's authorities.",
    caPoolSources,
    'provider',
  ),
  insecure_skip_verify: boolean('Disable verification of the server certificate. Use only for testing.'),
  handshake_timeout: duration('Timeout for connecting and for the TLS handshake. Default: 10s.'),
  server_name: string("Server name to verify in the endpoint's certificate. Default: the host name in the URL."),
  renegotiation: choice('TLS renegotiation policy. Accepted but ignored: renegotiation is not supported.', [
    'never',
    'once',
    'freely',
  ]),
});
