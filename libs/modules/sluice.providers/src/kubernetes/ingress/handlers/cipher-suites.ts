/** The `ssl-ciphers` annotation: OpenSSL names of TLS 1.2 cipher suites. */
import type { IngressScope } from '../scope.ts';

/** Supported cipher suites by OpenSSL name. All of them provide forward secrecy and use AEAD. */
const suites: Readonly<Record<string, string>> = {
  'ECDHE-ECDSA-AES128-GCM-SHA256': 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384': 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305': 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'ECDHE-RSA-AES256-GCM-SHA384': 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'ECDHE-RSA-CHACHA20-POLY1305': 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
};

/** Returns a one-element array with the list of cipher suites, or an empty array if the annotation is missing. */
export function cipherSuites({ annotations }: IngressScope): readonly (readonly string[])[] {
  const text = annotations.text('ssl-ciphers');
  if (text === undefined) return [];
  const wanted = text.split(/[:,\s]+/).filter((each) => each !== '');
  const found = wanted.flatMap((each) => suites[each] ?? []);
  const other = wanted.filter((each) => suites[each] === undefined);
  if (other.length > 0) annotations.warn('ssl-ciphers', `unsupported cipher suites are ignored: ${other.join(', ')}`);
  if (found.length > 0) return [found];
  annotations.warn('ssl-ciphers', 'none of the cipher suites is supported; the default cipher suites are used');
  return [];
}
