/** `http.matchers.host`: matches the request's host, without the port. */
import { SluiceError } from '@sluice/base';
import {
  compileText,
  hostKey,
  httpMatchers,
  type Exchange,
  type HttpMatcher,
  type HttpTemplate,
  type RouteKeys,
} from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { textList, textsOf } from '../common/texts.ts';
import { asciiHost, hasWildcard, wildcardTest } from './labels.ts';

export const hostModule = defineModule(httpMatchers, {
  name: 'host',
  effect: 'pure',
  help: 'Matches requests by host, ignoring the port.',
  config: textList(
    'Host names to match, case-insensitive. `*` matches exactly one label, as in `*.example.com`. Internationalized names are supported. May contain placeholders.',
    [['example.com', '*.example.com']],
  ),
  provision: (config, context) => hostMatcher(textsOf(config), (message, index) => context.error(message, index)),
});

type Fail = (message: string, index: number) => Error;

/** Compiles host patterns. For invalid and duplicate patterns, throws the error that `fail` returns. */
export function hostMatcher(
  patterns: readonly string[],
  fail: Fail = (message) => new SluiceError('ERR_VALUE', message),
): HttpMatcher {
  const hosts = normalize(patterns, fail);
  const exact: string[] = [];
  const tests: ((host: string) => boolean)[] = [];
  const dynamic: HttpTemplate[] = [];
  for (const host of hosts) {
    const template = compileText(host, 'empty');
    if (template.constant === null) dynamic.push(template);
    else if (hasWildcard(template.constant)) tests.push(wildcardTest(template.constant));
    else exact.push(template.constant);
  }
  const [only] = exact;
  // Hosts are compared without their port, so a pattern with a port never matches.
  if (hosts.length === 1 && only !== undefined && !only.includes(':')) return new OneHost(only, keysOf(hosts));
  const match = dynamic.length > 0 ? matchDynamic(matchFixed(exact, tests), dynamic) : matchFixed(exact, tests);
  return { match: (exchange) => match(exchange.host, exchange), keys: dynamic.length > 0 ? null : keysOf(hosts) };
}

/** Matcher for a single host. Most routes have only one host, so this matcher uses little memory. */
class OneHost implements HttpMatcher {
  readonly keys: RouteKeys | null;
  readonly #host: string;

  constructor(host: string, keys: RouteKeys | null) {
    this.#host = host;
    this.keys = keys;
  }

  match({ host }: Exchange): boolean {
    // Fast path: most clients send the host as configured, without a port.
    return host === this.#host || bareHost(host) === this.#host;
  }
}

type Match = (host: string, exchange: Exchange) => boolean;

function normalize(patterns: readonly string[], fail: Fail): string[] {
  const seen = new Map<string, number>();
  return patterns.map((pattern, index) => {
    const host = asciiOrFail(pattern, index, fail);
    const first = seen.get(host);
    if (first !== undefined) throw fail(`${JSON.stringify(pattern)} is the same host as entry ${first}`, index);
    seen.set(host, index);
    return host;
  });
}

function asciiOrFail(pattern: string, index: number, fail: Fail): string {
  // Convert only the parts outside placeholders, because placeholder names are case-sensitive.
  if (pattern.includes('{'))
    return pattern
      .split(/(\{[^}]*\})/)
      .map((part, i) => (i % 2 === 1 ? part : asciiHost(part)))
      .join('');
  try {
    return asciiHost(pattern);
  } catch (error) {
    throw fail((error as Error).message, index);
  }
}

function matchFixed(exact: readonly string[], tests: readonly ((host: string) => boolean)[]): Match {
  const names = new Set(exact);
  if (tests.length > 0) {
    return (host) => {
      const bare = bareHost(host);
      if (names.has(bare)) return true;
      for (const test of tests) if (test(bare)) return true;
      return false;
    };
  }
  if (exact.length === 0) return () => false;
  // Hosts are compared without their port, so a pattern with a port never matches.
  if (exact.some((name) => name.includes(':'))) return (host) => names.has(bareHost(host));
  return (host) => names.has(host) || names.has(bareHost(host));
}

function matchDynamic(fixed: Match, dynamic: readonly HttpTemplate[]): Match {
  return (host, exchange) => {
    if (fixed(host, exchange)) return true;
    const bare = bareHost(host);
    for (const template of dynamic) {
      const pattern = template.expand(exchange).toLowerCase();
      if (pattern === bare || (hasWildcard(pattern) && wildcardTest(pattern)(bare))) return true;
    }
    return false;
  };
}

/** Returns the host without its port. Unbalanced brackets are handled in the same way as in route indexes. */
function bareHost(host: string): string {
  const key = hostKey(host);
  return key.startsWith('[') ? key.slice(1) : key;
}

/**
 * Returns the keys for the route index, or `null` if the matcher can't be indexed. Exact names and `*.example.com` can be indexed. Other
 * wildcards and IPv6 addresses can't be indexed. An IPv6 address has many spellings.
 */
function keysOf(hosts: readonly string[]): RouteKeys | null {
  const indexable = hosts.every(
    (host) => !host.includes(':') && (!hasWildcard(host) || (host.startsWith('*.') && !hasWildcard(host.slice(2)))),
  );
  return indexable ? { kind: 'host', keys: hosts } : null;
}
