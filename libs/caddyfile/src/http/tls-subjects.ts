/** Certificate names, and their possible issuers. */
import { isIP } from 'node:net';

/** Reports whether a certificate can have a name. A wildcard must be at its beginning. */
export function qualifiesForCertificate(name: string): boolean {
  return (
    !/^\p{White_Space}*$/u.test(name) &&
    !name.startsWith('.') &&
    !name.endsWith('.') &&
    (!name.includes('*') || name.startsWith('*.') || name === '*') &&
    !/[()[\]{}<> \t\n"'\\!@#$%^&|;+=]/.test(name)
  );
}

/** Reports whether a name is in the local network or machine. No public authority issues certificates for these. */
function isInternalName(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return /(?:^|\.)(?:localhost|local|internal)$/.test(bare) || bare.endsWith('.home.arpa');
}

/** Reports whether a public authority can issue a certificate for a name. Several wildcards are only possible on demand, one at a time. */
export function isPublicName(name: string, onDemand = false): boolean {
  if (isInternalName(name) || isIP(name) !== 0) return false;
  return name.split('*.').length <= 2 || onDemand;
}

/** Reports whether a name covers everything below a single label. Public authorities do not issue such certificates. */
export function isShortWildcard(name: string): boolean {
  return name.includes('*') && name.split('.').length <= 2;
}

/** Reports whether Tailscale manages a name. */
export function isTailscaleName(name: string): boolean {
  return name.toLowerCase().endsWith('.ts.net');
}

/** Reports whether a pattern covers a name or is equal to it. A `*` matches one label. */
export function covers(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!pattern.includes('*')) return false;
  const labels = name.split('.');
  const parts = pattern.split('.');
  return labels.length === parts.length && parts.every((part, at) => part === '*' || part === labels[at]);
}
