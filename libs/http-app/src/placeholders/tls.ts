/** TLS placeholders: `http.request.tls.*`. They are empty on connections without TLS. */
import type { Accessor } from '@sluice/base';
import type { TlsInfo } from '../exchange/connection.ts';
import { clientCertificateOf, type ClientCertificate, type NameKind } from './client-certificate.ts';

/** An object with TLS connection data, for example an exchange. */
export interface TlsSubject {
  readonly connection: { readonly tls: TlsInfo | null };
}

type Read = (tls: TlsInfo) => unknown;

const ofConnection = {
  version: (tls) => tls.version,
  cipher_suite: (tls) => tls.cipherSuite,
  resumed: (tls) => tls.resumed,
  early_data: (tls) => !tls.handshakeComplete,
  proto: (tls) => tls.protocol,
  proto_mutual: () => true,
  server_name: (tls) => tls.serverName,
  // Always false, because Encrypted ClientHello is not supported.
  ech: () => false,
} satisfies Readonly<Record<string, Read>>;

const ofCertificate = {
  fingerprint: ({ fingerprint }) => fingerprint,
  public_key: ({ publicKey }) => publicKey,
  public_key_sha256: ({ publicKeySha256 }) => publicKeySha256,
  certificate_pem: ({ pem }) => pem,
  certificate_der_base64: ({ derBase64 }) => derBase64,
  issuer: ({ issuer }) => issuer,
  subject: ({ subject }) => subject,
  serial: ({ serial }) => serial,
  serial_hex: ({ serialHex }) => serialHex,
  fingerprint_sha1: ({ fingerprintSha1 }) => fingerprintSha1,
} satisfies Readonly<Record<string, (certificate: ClientCertificate) => string>>;

export type TlsPlaceholder =
  | `http.request.tls.${keyof typeof ofConnection}`
  | `http.request.tls.client.${keyof typeof ofCertificate | 'verify'}`
  | `http.request.tls.client.san.${NameKind}`
  | `http.request.tls.client.san.${NameKind}.<number>`;

export function resolveTls(rest: string): Accessor<TlsSubject> | null {
  if (Object.hasOwn(ofConnection, rest)) return whenTls(ofConnection[rest as keyof typeof ofConnection]);
  if (!rest.startsWith('client.')) return null;
  const name = rest.slice('client.'.length);
  if (name === 'verify') return whenTls(verification);
  if (Object.hasOwn(ofCertificate, name)) {
    const read: (certificate: ClientCertificate) => string = ofCertificate[name as keyof typeof ofCertificate];
    return whenTls((tls) => {
      const certificate = clientCertificateOf(tls);
      return certificate === null ? '' : read(certificate);
    });
  }
  const san = /^san\.(dns_names|emails|ips|uris)(?:\.(\d{1,3}))?$/.exec(name);
  return san === null ? null : whenTls(alternativeNames(san[1] as NameKind, san[2]));
}

/** Returns the client verification result in nginx's format. Caddy has no such placeholder. */
function verification({ clientCertificate, clientProblem }: TlsInfo): string {
  if (clientCertificate === null) return 'NONE';
  return clientProblem === null ? 'SUCCESS' : `FAILED:${clientProblem}`;
}

function whenTls(read: Read): Accessor<TlsSubject> {
  return ({ connection }) => (connection.tls === null ? '' : read(connection.tls));
}

function alternativeNames(kind: NameKind, index: string | undefined): Read {
  const at = Number(index);
  return (tls) => {
    const names = clientCertificateOf(tls)?.alternativeNames(kind) ?? [];
    return index === undefined ? names : (names[at] ?? '');
  };
}
