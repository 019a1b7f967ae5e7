/** Which names can have certificates, and who can issue them. */
import { isIP } from 'node:net';

/** Signs that no name has. */
const foreign = /[()[\]{}<> \t\n"\\!@#$%^&|;'+=,/?~`]/;

/** Whether a name can have a certificate at all. A wildcard stands for whole labels at the front. */
export function qualifies(name: string): boolean {
  if (isIP(name) !== 0) return true;
  if (name === '' || name.startsWith('.') || name.endsWith('.') || foreign.test(name)) return false;
  return !name.includes('*') || /^(?:\*\.)+[^*]+$/.test(name);
}

const internalEndings: readonly string[] = ['.localhost', '.local', '.internal', '.home.arpa'];

/** Whether authorities that all the world trusts issue for a name (CA/Browser Forum baseline requirements §4.2.2). */
export function qualifiesForPublic(name: string): boolean {
  if (!qualifies(name) || isIP(name) !== 0 || name === 'localhost') return false;
  if (internalEndings.some((ending) => name.endsWith(ending))) return false;
  return !name.includes('*') || (name.startsWith('*.') && name.indexOf('*', 1) < 0 && name.slice(2).includes('.'));
}
