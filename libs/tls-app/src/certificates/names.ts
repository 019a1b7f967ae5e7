/** Normalization and matching of server names and certificate names. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Normalizes a name for comparison: lowercase, internationalized names in ASCII form, no trailing dot, IP addresses without brackets. An
 * invalid name is only converted to lowercase and never matches.
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

/** Reports whether a string contains only letters, digits, hyphens and inner dots. Most names do, and need no further normalization. */
function isPlain(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const plain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45;
    if (!plain && !(code === 46 && i < name.length - 1)) return false;
  }
  return true;
}

/**
 * Reports whether a pattern matches a name. A pattern is an exact name, or a name in which `*` replaces whole labels. Both arguments must
 * be normalized.
 */
export function matchesName(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  if (!pattern.includes('*')) return false;
  const patternLabels = pattern.split('.');
  const labels = name.split('.');
  if (patternLabels.length !== labels.length) return false;
  return patternLabels.every((label, i) => label === '*' || label === labels[i]);
}

/** Returns the wildcards that cover a name, in Caddy's order: `*.b.c`, then `*.*.c`, and so on. */
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
