/** Certificates in texts (PEM, RFC 7468). */

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The certificates in a text, in their order, each as a PEM text of its own; whatever else is there is skipped. */
export function pemCertificates(text: string): string[] {
  return [...text.matchAll(certificateBlock)].map(([block]) => `${block}\n`);
}

const privateKeyBlock = /-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----[\s\S]*?-----END \1-----/;

/** The first private key in a text, as a PEM text of its own, or `null`. Encrypted keys count: readers say what is wrong. */
export function pemPrivateKey(text: string): string | null {
  const block = privateKeyBlock.exec(text)?.[0];
  return block === undefined ? null : `${block}\n`;
}
