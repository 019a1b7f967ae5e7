/** Which names certificates can have, and who can issue them. */
import { isIP } from 'node:net';

/** Whether a certificate can be for a name at all; with wildcards, if it begins with one. */
export function qualifiesForCertificate(name: string): boolean {
  return (
    !/^\p{White_Space}*$/u.test(name) &&
    !name.startsWith('.') &&
    !name.endsWith('.') &&
    (!name.includes('*') || name.startsWith('*.') || name === '*') &&
    !/[()[\]{}<> \t\n"'\\!@#$%^&|;+=]/.test(name)
  );
}

/** Names of the local network and machine, which no public authority knows. */
function isInternalName(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return /(?:^|\.)(?:localhost|local|internal)$/.test(bare) || bare.endsWith('.home.arpa');
}

/** Whether a public authority can issue a certificate for a name; for several wildcards only one after the other, on demand. */
export function isPublicName(name: string, onDemand = false): boolean {
  if (isInternalName(name) || isIP(name) !== 0) return false;
  return name.split('*.').length <= 2 || onDemand;
}

/** Whether a name is for everything below a single label, for which no public authority issues certificates. */
export function isShortWildcard(name: string): boolean {
  return name.includes('*') && name.split('.').length <= 2;
}

/** Whether Tailscale manages a name. */
export function isTailscaleName(name: string): boolean {
  return name.toLowerCase().endsWith('.ts.net');
}

/** Whether a name is a pattern's, or below it: a `*` stands for one label. */
export function covers(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!pattern.includes('*')) return false;
  const labels = name.split('.');
  const parts = pattern.split('.');
  return labels.length === parts.length && parts.every((part, at) => part === '*' || part === labels[at]);
}
