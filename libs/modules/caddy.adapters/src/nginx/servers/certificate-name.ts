/** Names of certificates. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isConfined } from '@sluice/base';

/**
 * A name that a certificate is for. nginx shows a certificate whatever name the client asks for; here this name is the one to
 * look for then. `null` for a file that cannot be read, which is an error once it is to be loaded.
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
