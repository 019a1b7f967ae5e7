/** Checks whether a client supports a certificate's key and signature (RFC 8446 §4.2.3, RFC 8422 §5). */
import type { Certificate } from './certificate.ts';
import type { ClientHello } from '@sluice/contracts';

const tls13 = 0x0304;

/** TLS signature schemes by key type. */
const rsaSchemes: readonly number[] = [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0201];
const ecdsaSchemes: Readonly<Record<string, number>> = { prime256v1: 0x0403, secp384r1: 0x0503, secp521r1: 0x0603 };
const ed25519Scheme = 0x0807;

/** TLS 1.2 cipher suites with ECDSA authentication that OpenSSL supports. */
const ecdsaSuites: ReadonlySet<number> = new Set([
  0xc02b, 0xc02c, 0xcca9, 0xc023, 0xc024, 0xc009, 0xc00a, 0xc0ac, 0xc0ad, 0xc0ae, 0xc0af,
]);

/** Reports whether the client supports a certificate. A client that announces no signature schemes is assumed to support RSA. */
export function suits(hello: ClientHello, { keyKind, curve }: Certificate): boolean {
  const { signatureSchemes: schemes } = hello;
  if (keyKind === 'rsa') return schemes.length === 0 || rsaSchemes.some((scheme) => schemes.includes(scheme));
  if (keyKind === 'dsa') return false;
  if (!hello.versions.includes(tls13) && !hello.cipherSuites.some((suite) => ecdsaSuites.has(suite))) return false;
  if (keyKind === 'ed25519') return schemes.includes(ed25519Scheme);
  if (!hello.versions.includes(tls13)) return schemes.some((scheme) => (scheme & 0xff) === 3);
  return schemes.includes(ecdsaSchemes[curve] ?? 0);
}
