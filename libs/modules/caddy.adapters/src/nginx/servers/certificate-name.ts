/** Certificate names. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isConfined } from '@sluice/base';

/**
 * Returns one of the names in a certificate. nginx presents a server's certificate regardless of SNI, so Sluice looks up the certificate by
 * this name. Returns `null` for an unreadable file, which is reported when the configuration is loaded.
 */
export function certificateName(file: string): string | null {
  if (isConfined()) return null;
  try {
    const { subjectAltName = '', subject } = new X509Certificate(readFileSync(file));
    const [, name] = /(?:DNS|IP Address):([^,]+)/.exec(subjectAltName) ?? /(?:^|\n)CN=([^\n]+)/.exec(subject) ?? [];
    return name?.replace('*', 'any') ?? null;
  } catch {
    return null;
  }
}
