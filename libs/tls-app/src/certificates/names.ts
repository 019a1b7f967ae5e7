/** Names that certificates are for, as handshakes ask for them. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * A name as it is compared: lower case, international names in their ASCII form, no final dot, IP addresses without
 * brackets. What can't be a name stays as it is, in lower case, and matches nothing.
 */
export function normalName(name: string): string {
  const lower = name.toLowerCase();
  if (isPlain(lower)) return lower;
  if (lower.startsWith('[') && lower.endsWith(']')) return lower.slice(1, -1);
  if (isIP(lower) !== 0) return lower;
  const [wildcard] = /^(?:\*\.)*/.exec(lower) as RegExpExecArray;
  const host = lower.slice(wildcard.length).replace(/\.$/, '');
  return wildcard + (domainToASCII(host) || host);
}

/** Whether a text has only letters, digits, hyphens and inner dots: by far the most names. */
function isPlain(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const plain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45;
    if (!plain && !(code === 46 && i < name.length - 1)) return false;
  }
  return true;
}

/** Whether a pattern, an exact name or one with `*` for whole labels, has a name in it. Both are normal names. */
export function matchesName(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!pattern.includes('*')) return false;
  const patternLabels = pattern.split('.');
  const labels = name.split('.');
  if (patternLabels.length !== labels.length) return false;
  return patternLabels.every((label, i) => label === '*' || label === labels[i]);
}

/** The wildcards that a certificate for a name may have: `*.b.c`, then `*.*.c` … as the reference tries them. */
export function wildcardsOf(name: string): string[] {
  const labels = name.split('.');
  const wildcards: string[] = [];
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === '') continue;
    labels[i] = '*';
    wildcards.push(labels.join('.'));
  }
  return wildcards;
}
