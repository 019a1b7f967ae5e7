/** TLS data in log entries. Uses IANA registry numbers, as in Caddy. */
import { X509Certificate } from 'node:crypto';
import type { TlsInfo } from '../exchange/connection.ts';

const versions: Readonly<Record<string, number>> = {
  'tls1.0': 0x0301,
  'tls1.1': 0x0302,
  'tls1.2': 0x0303,
  'tls1.3': 0x0304,
};

/** IANA numbers of TLS cipher suites from RFC 8446, 5289, 7905, 8422 and 5246, by name. */
const cipherSuites: Readonly<Record<string, number>> = {
  TLS_AES_128_GCM_SHA256: 0x1301,
  TLS_AES_256_GCM_SHA384: 0x1302,
  TLS_CHACHA20_POLY1305_SHA256: 0x1303,
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 0xc02b,
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 0xc02c,
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 0xc02f,
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 0xc030,
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 0xcca8,
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 0xcca9,
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 0xc009,
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 0xc00a,
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 0xc013,
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 0xc014,
  TLS_RSA_WITH_AES_128_GCM_SHA256: 0x009c,
  TLS_RSA_WITH_AES_256_GCM_SHA384: 0x009d,
  TLS_RSA_WITH_AES_128_CBC_SHA: 0x002f,
  TLS_RSA_WITH_AES_256_CBC_SHA: 0x0035,
};

/** Cached TLS log fields of each connection. */
const known = new WeakMap<TlsInfo, Readonly<Record<string, unknown>>>();

/** Returns the content of the `request.tls` log field. */
export function tlsFields(tls: TlsInfo): Readonly<Record<string, unknown>> {
  let fields = known.get(tls);
  if (fields === undefined) known.set(tls, (fields = makeFields(tls)));
  return fields;
}

/** Cached log entry text of each connection: `,"tls":{…}`. */
const texts = new WeakMap<TlsInfo, string>();

/** Returns the TLS text that follows the other request fields in a log entry. */
export function tlsText(tls: TlsInfo): string {
  let text = texts.get(tls);
  if (text === undefined) texts.set(tls, (text = `,"tls":${JSON.stringify(tlsFields(tls))}`));
  return text;
}

function makeFields(tls: TlsInfo): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {
    resumed: tls.resumed,
    version: versions[tls.version] ?? 0,
    cipher_suite: cipherSuites[tls.cipherSuite] ?? 0,
    proto: tls.protocol,
    server_name: tls.serverName,
    ech: false,
  };
  if (tls.clientCertificate !== null) {
    const { subject, serialNumber } = new X509Certificate(tls.clientCertificate);
    fields['client_common_name'] = /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
    fields['client_serial'] = BigInt(`0x${serialNumber}`).toString();
  }
  return fields;
}
