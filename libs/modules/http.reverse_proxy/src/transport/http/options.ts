/** Options of `http.reverse_proxy.transport.http`. */
import {
  boolean,
  duration,
  inlineModule,
  integer,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { caPoolSources } from '@sluice/contracts';
import { networkProxies } from '@sluice/http-app';
import { resolverOptions } from '../../common/resolver.ts';

const tlsOptions = options({
  ca: inlineModule('Which certificate authorities are trusted.', caPoolSources, 'provider'),
  root_ca_pool: strings('Trusted certificates: DER in base64. Deprecated: use ca.'),
  root_ca_pem_files: strings('Files of trusted certificates. Deprecated: use ca.'),
  client_certificate_file: string('File of the certificate that is shown to upstreams.'),
  client_certificate_key_file: string('File of the key to that certificate.'),
  client_certificate_automate: string('Name of a managed certificate to show to upstreams.'),
  insecure_skip_verify: boolean('Trust any certificate. For tests.'),
  handshake_timeout: duration('Longest time for a handshake. Default 10s.'),
  server_name: string(
    'Name to ask for and to find in the certificate; may contain placeholders. Default: the host that is dialed.',
  ),
  renegotiation: string(
    'When upstreams may renegotiate: never, once, freely. Only never is supported, which is the default.',
  ),
  except_ports: strings('Ports that are spoken to in plain text.'),
  curves: strings('Key exchange: x25519, secp256r1, secp384r1, secp521r1, x25519mlkem768.'),
});

const keepAliveOptions = options({
  enabled: boolean('Keep connections for further requests. Default true.'),
  probe_interval: duration('Time between TCP keep-alive probes. Default 30s.'),
  max_idle_conns: integer('Most idle connections, of all upstreams together. 0: any number.'),
  max_idle_conns_per_host: integer('Most idle connections per upstream and thread. Default 256.'),
  idle_timeout: duration('How long an idle connection is kept. Default 2m.'),
});

/** Options of the transport. */
export const httpTransportOptions = options({
  resolver: structure('How host names are resolved.', resolverOptions),
  tls: structure('Speak TLS; `{}` for nothing special.', tlsOptions),
  keep_alive: structure('Keeping of connections.', keepAliveOptions),
  compression: boolean('Ask for gzip where the client asks for nothing, and decode it. Default true.'),
  max_conns_per_host: integer('Most connections per upstream and thread; further requests wait. 0: any number.'),
  proxy_protocol: string('Tell upstreams about the client by a PROXY header: v1 or v2.'),
  forward_proxy_url: string('Proxy to go through. Deprecated: use network_proxy.'),
  dial_timeout: duration('Longest time to connect. Default 3s.'),
  dial_fallback_delay: duration(
    'When to try the next address of a host besides the first one. Default 300ms; negative: never.',
  ),
  response_header_timeout: duration('Longest time from the end of the request to the head of the response. 0: none.'),
  expect_continue_timeout: duration(
    'How long a request with Expect waits for 100 Continue before its body is sent. 0: not at all.',
  ),
  max_response_header_size: integer('Largest head of a response, in bytes. Default 10 MiB.'),
  write_buffer_size: integer('Accepted, no effect: sizes of buffers are not ours to choose.'),
  read_buffer_size: integer('Accepted, no effect: see write_buffer_size.'),
  read_timeout: duration('Longest time between two reads. 0: none.'),
  write_timeout: duration('Longest time for a write. 0: none.'),
  versions: strings('Versions of HTTP: 1.1, 2, h2c. Default 1.1 and 2.'),
  local_address: string('Address to connect from.'),
  network_proxy: inlineModule('Proxy to go through.', networkProxies, 'from'),
});

/** Checked options. */
export type HttpTransportConfig = Options<typeof httpTransportOptions>;
/** Checked options of TLS. */
export type TlsConfig = Options<typeof tlsOptions>;
