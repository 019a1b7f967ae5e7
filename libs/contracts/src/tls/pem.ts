/** Extracts certificates and private keys from PEM text (RFC 7468). */

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Returns the certificates in a PEM string, in order, as separate PEM strings. Skips other content. */
export function pemCertificates(text: string): string[] {
  return [...text.matchAll(certificateBlock)].map(([block]) => `${block}\n`);
}

const privateKeyBlock = /-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----[\s\S]*?-----END \1-----/;

/**
 * Returns the first private key in a PEM string, as a PEM string. Returns `null` if there is none. The key may be encrypted; in this case,
 * callers report an error.
 */
export function pemPrivateKey(text: string): string | null {
  const block = privateKeyBlock.exec(text)?.[0];
  return block === undefined ? null : `${block}\n`;
}
