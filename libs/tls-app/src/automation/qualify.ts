/** Determines which names can have certificates and which issuers can issue the certificates. */
import { isIP } from 'node:net';

/** Characters that are not allowed in certificate names. */
const foreign = /[()[\]{}<> \t\n"\\!@#$%^&|;'+=,/?~`]/;

/** Reports whether a certificate can be obtained for a name. A wildcard is only allowed as the complete first label. */
export function qualifies(name: string): boolean {
  if (isIP(name) !== 0) return true;
  if (name === '' || name.startsWith('.') || name.endsWith('.') || foreign.test(name)) return false;
  return !name.includes('*') || /^(?:\*\.)+[^*]+$/.test(name);
}

const internalSuffixes: readonly string[] = ['.localhost', '.local', '.internal', '.home.arpa'];

/** Reports whether public CAs issue certificates for a name (CA/Browser Forum baseline requirements §4.2.2). */
export function qualifiesForPublic(name: string): boolean {
  if (!qualifies(name) || isIP(name) !== 0 || name === 'localhost') return false;
  if (internalSuffixes.some((ending) => name.endsWith(ending))) return false;
  return !name.includes('*') || (name.startsWith('*.') && name.indexOf('*', 1) < 0 && name.slice(2).includes('.'));
}
