/** Host patterns: dot-separated labels, in which `*` matches any single label. */
import { domainToASCII } from 'node:url';
import { valueError } from '@sluice/base';

/** Returns a host pattern in lower case, with internationalized labels in ASCII form (RFC 5891). Throws ERR_VALUE for invalid names. */
export function asciiHost(pattern: string): string {
  const labels = pattern.split('.').map((label) => {
    if (label.includes('{') || !/[^\0-\x7f]|^xn--/i.test(label)) return label;
    const ascii = domainToASCII(label);
    if (ascii === '')
      throw valueError(
        `${JSON.stringify(pattern)} is not a valid host name: ${JSON.stringify(label)} cannot be converted to ASCII`,
      );
    return ascii;
  });
  return labels.join('.').toLowerCase();
}

/** Reports whether a host pattern has a wildcard label. A `*` next to other characters is literal. */
export function hasWildcard(pattern: string): boolean {
  return pattern.includes('*') && pattern.split('.').includes('*');
}

/** Returns a predicate that tests lower-case hosts against a lower-case wildcard pattern. */
export function wildcardTest(pattern: string): (host: string) => boolean {
  const suffix = pattern.slice(1);
  if (pattern.startsWith('*.') && !hasWildcard(suffix))
    return (host) => host.indexOf('.') === host.length - suffix.length && host.endsWith(suffix);
  const labels = pattern.split('.');
  return (host) => matchLabels(labels, host);
}

function matchLabels(labels: readonly string[], host: string): boolean {
  const parts = host.split('.');
  return parts.length === labels.length && labels.every((label, index) => label === '*' || label === parts[index]);
}
