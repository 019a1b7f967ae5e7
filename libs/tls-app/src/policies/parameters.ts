/** Maps TLS versions, cipher suites and curves in the configuration to OpenSSL names. */
import type { SecureVersion } from 'node:tls';
import { SluiceError } from '@sluice/base';

/** TLS versions by their name in the configuration. */
export const versions: Readonly<Record<string, SecureVersion>> = { 'tls1.2': 'TLSv1.2', 'tls1.3': 'TLSv1.3' };

/** TLS version names for placeholders, by Node's name. */
export const versionNames: Readonly<Record<string, string>> = {
  'TLSv1.3': 'tls1.3',
  'TLSv1.2': 'tls1.2',
  'TLSv1.1': 'tls1.1',
  TLSv1: 'tls1.0',
};

/** OpenSSL names of the TLS 1.2 cipher suites that can be configured, by IANA name. */
const suites12: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
};

/** TLS 1.3 cipher suites. As in Caddy, they can be listed but not excluded, because all of them are secure. */
const suites13: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
];

/** Default TLS 1.2 cipher suites, which are AEAD suites with forward secrecy. */
const defaultSuites12: readonly string[] = Object.values(suites12).slice(0, 6);

const curveNames: Readonly<Record<string, string>> = {
  x25519mlkem768: 'X25519MLKEM768',
  x25519: 'X25519',
  secp256r1: 'prime256v1',
  secp384r1: 'secp384r1',
  secp521r1: 'secp521r1',
};

/** Default elliptic curves, fastest first. */
const defaultCurves: readonly string[] = ['x25519mlkem768', 'x25519', 'secp256r1', 'secp384r1'];

/** Returns a cipher list in OpenSSL format. Throws for an unknown name. */
export function cipherList(names: readonly string[]): string {
  const twelve = names.filter((name) => !suites13.includes(name)).map((name) => known(suites12, name, 'cipher suite'));
  return [...suites13, ...(twelve.length === 0 ? defaultSuites12 : twelve)].join(':');
}

/** Returns a curve list in OpenSSL format. Throws for an unknown name. */
export function curveList(names: readonly string[]): string {
  return (names.length === 0 ? defaultCurves : names).map((name) => known(curveNames, name, 'curve')).join(':');
}

/** Looks up a name. If the name is unknown, throws an error that lists the valid names. */
export function known<T>(table: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined)
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(name)} is not a supported ${what}; use one of ${Object.keys(table).join(', ')}`,
    );
  return found;
}
