/** Hostnames of listeners and routes. A wildcard such as `*.example.com` matches one or more labels. The empty string matches all hostnames. */
import type { JsonObject } from '@sluice/base';
import { quoteRegExp } from '../../common/text.ts';

/** Returns the hostnames that both a listener and a route accept, or `null` if there are none. */
export function intersection(listener: string, route: readonly string[]): readonly string[] | null {
  if (route.length === 0) return [listener];
  const found = route.flatMap((hostname) => {
    if (listener === '' || covers(listener, hostname)) return [hostname];
    return covers(hostname, listener) ? [listener] : [];
  });
  return found.length === 0 ? null : [...new Set(found.map((each) => each.toLowerCase()))];
}

/** Reports whether `hostname` matches all hostnames that `other` matches. */
function covers(hostname: string, other: string): boolean {
  if (hostname === other) return true;
  return hostname.startsWith('*.') && other.endsWith(hostname.slice(1));
}

/**
 * Returns a sort key for hostnames. Exact hostnames come first, then wildcards from longest to shortest, then the empty hostname, which
 * matches all.
 */
export function hostnameRank(hostname: string): string {
  if (hostname === '') return 'c';
  return hostname.startsWith('*.') ? `b${descending(hostname.length)}` : 'a';
}

/** Returns the matchers for hostnames that have the same rank. */
export function hostMatchers(hostnames: readonly string[]): JsonObject {
  const [first = ''] = hostnames;
  if (first === '') return {};
  if (!first.startsWith('*.')) return { host: hostnames };
  const names = hostnames.map((each) => quoteRegExp(each.slice(1)));
  return { vars_regexp: { '{http.request.host}': { pattern: `(?i)^[^.].*(?:${names.join('|')})$` } } };
}

/** Formats a number as a sort key, so that larger numbers come first. */
export function descending(value: number): string {
  return String(99_999 - Math.min(value, 99_999)).padStart(5, '0');
}
