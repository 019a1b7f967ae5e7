/** Placeholders of TLS: `http.request.tls.*`. On a plain connection they are known but empty. */
import { createHash, X509Certificate } from 'node:crypto';
import type { Accessor } from '@sluice/registry';
import type { TlsInfo } from '../exchange/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';

type Read = (tls: TlsInfo) => unknown;

const ofConnection: Readonly<Record<string, Read>> = {
  version: (tls) => tls.version,
  cipher_suite: (tls) => tls.cipherSuite,
  resumed: (tls) => tls.resumed,
  proto: (tls) => tls.protocol,
  proto_mutual: () => true,
  server_name: (tls) => tls.serverName,
};

const ofCertificate: Readonly<Record<string, (certificate: X509Certificate) => unknown>> = {
  fingerprint: ({ raw }) => createHash('sha256').update(raw).digest('hex'),
  public_key: ({ publicKey }) => publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
  public_key_sha256: ({ publicKey }) =>
    createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex'),
  certificate_pem: (certificate) => certificate.toString(),
  certificate_der_base64: ({ raw }) => raw.toString('base64'),
  issuer: ({ issuer }) => distinguishedName(issuer),
  subject: ({ subject }) => distinguishedName(subject),
  serial: ({ serialNumber }) => BigInt(`0x${serialNumber}`).toString(),
};

const sanKinds: Readonly<Record<string, string>> = {
  dns_names: 'DNS',
  emails: 'email',
  ips: 'IP Address',
  uris: 'URI',
};

/** Resolves what follows `http.request.tls.`. */
export function resolveTls(rest: string): Accessor<Exchange> | null {
  if (Object.hasOwn(ofConnection, rest)) return whenTls(ofConnection[rest] as Read);
  if (!rest.startsWith('client.')) return null;
  const name = rest.slice('client.'.length);
  if (Object.hasOwn(ofCertificate, name)) {
    const read = ofCertificate[name] as (certificate: X509Certificate) => unknown;
    return whenTls((tls) => (tls.clientCertificate === null ? '' : read(new X509Certificate(tls.clientCertificate))));
  }
  const san = /^san\.(dns_names|emails|ips|uris)(?:\.(\d{1,3}))?$/.exec(name);
  return san === null ? null : whenTls((tls) => alternativeNames(tls, sanKinds[san[1] as string] as string, san[2]));
}

function whenTls(read: Read): Accessor<Exchange> {
  return ({ connection }) => (connection.tls === null ? '' : read(connection.tls));
}

function alternativeNames(tls: TlsInfo, kind: string, index: string | undefined): unknown {
  if (tls.clientCertificate === null) return '';
  const all = (new X509Certificate(tls.clientCertificate).subjectAltName ?? '').split(', ');
  const names = all.filter((entry) => entry.startsWith(`${kind}:`)).map((entry) => entry.slice(kind.length + 1));
  return index === undefined ? names : (names[Number(index)] ?? '');
}

/** OpenSSL prints one attribute per line, most general first; RFC 2253 wants commas and the reverse. */
function distinguishedName(lines: string): string {
  return lines.split('\n').toReversed().join(',');
}
