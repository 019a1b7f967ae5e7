/** Certificate names, and the issuers that can issue certificates for them. */
import { isIP } from 'node:net';

/** Reports whether a certificate may contain the name. A wildcard is only allowed at the beginning. */
export function qualifiesForCertificate(name: string): boolean {
  return (
    !/^\p{White_Space}*$/u.test(name) &&
    !name.startsWith('.') &&
    !name.endsWith('.') &&
    (!name.includes('*') || name.startsWith('*.') || name === '*') &&
    !/[()[\]{}<> \t\n"'\\!@#$%^&|;+=]/.test(name)
  );
}

/** Reports whether a name belongs to the local network or machine. No public CA issues certificates for such names. */
function isInternalName(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return /(?:^|\.)(?:localhost|local|internal)$/.test(bare) || bare.endsWith('.home.arpa');
}

/**
 * Reports whether a public CA can issue a certificate for a name. Names with several wildcards are only possible with on-demand TLS, which
 * requests one concrete name at a time.
 */
export function isPublicName(name: string, onDemand = false): boolean {
  if (isInternalName(name) || isIP(name) !== 0) return false;
  return name.split('*.').length <= 2 || onDemand;
}

/** Reports whether a wildcard covers all names below a single label, such as `*.com`. Public CAs do not issue such certificates. */
export function isShortWildcard(name: string): boolean {
  return name.includes('*') && name.split('.').length <= 2;
}

/** Reports whether Tailscale manages certificates for the name. */
export function isTailscaleName(name: string): boolean {
  return name.toLowerCase().endsWith('.ts.net');
}

/** Reports whether a pattern is equal to a name or covers it. `*` matches exactly one label. */
export function covers(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!pattern.includes('*')) return false;
  const labels = name.split('.');
  const parts = pattern.split('.');
  return labels.length === parts.length && parts.every((part, at) => part === '*' || part === labels[at]);
}
