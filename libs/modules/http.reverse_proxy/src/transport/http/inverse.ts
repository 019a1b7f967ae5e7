/** The transport to HTTP servers as `http`. */
import { isObject, type Json } from '@sluice/base';
import {
  durationWord,
  moduleLines,
  noWords,
  optionLines,
  words,
  written,
  type Line,
  type Writer,
  type WriteModule,
} from '@sluice/caddyfile';

const networkProxy = { option: 'network_proxy', namespace: 'caddy.network_proxy', key: 'from' };
const trustPool = { option: 'tls_trust_pool', namespace: 'tls.ca_pool.source', key: 'provider' };

/** `http { … }` */
export const writeHttp: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const { keep_alive: keepAlive, tls, resolver, compression } = options;
  const block: Line[] = [
    ...optionLines(options, [
      ['read_buffer', 'read_buffer_size'],
      ['write_buffer', 'write_buffer_size'],
      ['max_response_header', 'max_response_header_size'],
      ['read_timeout', 'read_timeout', durationWord],
      ['write_timeout', 'write_timeout', durationWord],
      ['dial_timeout', 'dial_timeout', durationWord],
      ['dial_fallback_delay', 'dial_fallback_delay', durationWord],
      ['response_header_timeout', 'response_header_timeout', durationWord],
      ['expect_continue_timeout', 'expect_continue_timeout', durationWord],
      ['proxy_protocol', 'proxy_protocol'],
      ['versions', 'versions'],
      ['max_conns_per_host', 'max_conns_per_host'],
      ['local_address', 'local_address'],
    ]),
    ...(isObject(resolver) ? [{ words: ['resolvers', ...words(resolver['addresses'])] }] : []),
    ...(compression === false ? [{ words: ['compression', 'off'] }] : []),
    ...(await moduleLines(networkProxy, options['network_proxy'], writer)),
    ...keepAliveLines(keepAlive),
    ...(await tlsLines(tls, writer)),
  ];
  return [written([], block)];
};

function keepAliveLines(value: Json | undefined): Line[] {
  if (!isObject(value)) return [];
  const off: Line[] = value['enabled'] === false ? [{ words: ['keepalive', 'off'] }] : [];
  const lines = optionLines(value, [
    ['keepalive', 'idle_timeout', durationWord],
    ['keepalive_interval', 'probe_interval', durationWord],
    ['keepalive_idle_conns', 'max_idle_conns'],
    ['keepalive_idle_conns_per_host', 'max_idle_conns_per_host'],
  ]);
  return [...off, ...lines];
}

async function tlsLines(value: Json | undefined, writer: Writer): Promise<Line[]> {
  if (!isObject(value)) return [];
  const client = [
    value['client_certificate_automate'],
    value['client_certificate_file'],
    value['client_certificate_key_file'],
  ];
  const names = client.flatMap((each) => words(each));
  const lines = optionLines(value, [
    ['tls_insecure_skip_verify', 'insecure_skip_verify', noWords],
    ['tls_curves', 'curves'],
    ['tls_timeout', 'handshake_timeout', durationWord],
    ['tls_trusted_ca_certs', 'root_ca_pem_files'],
    ['tls_server_name', 'server_name'],
    ['tls_renegotiation', 'renegotiation'],
    ['tls_except_ports', 'except_ports'],
  ]);
  if (names.length > 0) lines.push({ words: ['tls_client_auth', ...names] });
  lines.push(...(await moduleLines(trustPool, value['ca'], writer)));
  return lines.length === 0 ? [{ words: ['tls'] }] : lines;
}
