/** Lint check SL041. */
import { isArray, isObject, own } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { caddyfile, defineLint } from '@sluice/registry';
import type { HandlerModel } from '../model.ts';
import { readerOf } from '../route-facts.ts';
import { serversOf } from '../servers.ts';
import { loopFrom, type Loop } from '../visit/loops.ts';
import { networkOf } from '../visit/network.ts';
import { seedsOf, type Seed } from '../visit/seeds.ts';
import { follow, type Visit } from '../visit/visit.ts';

export const redirectLoop = defineLint({
  code: 'SL041',
  name: 'redirect-loop',
  severity: 'error',
  summary: 'A redirect leads back to itself, directly or through others.',
  details: `Browsers give up after about 20 redirects and show an error. Often, a redirect is in the site that it leads to, two sites redirect to each other, or the pattern of a redirect also matches its target. Give the redirect a matcher that its target does not match, or a separate site.

The check follows a request from route to route. The check reports a loop only if every step is certain. If the client address or a header field determines the route, the check reports nothing.`,
  bad: caddyfile(`example.com {
	redir https://www.example.com{uri}
}
www.example.com {
	redir https://example.com{uri}
}
`),
  good: caddyfile(`example.com {
	redir https://www.example.com{uri}
}
www.example.com {
	respond "hello"
}
`),
  async check(configuration, report) {
    const servers = await serversOf(configuration);
    const seeds = servers.flatMap((server) => seedsOf(server, redirects).map((seed) => ({ server, ...seed })));
    const sources = sourcesOf(seeds);
    const candidates = seeds.filter(({ handler }) => mayComeBack(handler, sources));
    if (candidates.length === 0) return;
    const { matchers } = await readerOf(configuration.registry);
    const network = await networkOf(configuration);
    const reported = new Set<HandlerModel>();
    for (const { server, handler, hosts, paths } of candidates) {
      if (reported.has(handler)) continue;
      for (const visit of startsOf(network.doorsOf(server), hosts, paths)) {
        const loop = loopFrom(visit, server, matchers, (outcome, at, from) => {
          if (outcome.kind !== 'redirect') return null;
          const target = follow(from, outcome.location);
          const there = target === null ? null : network.isForcedToHttps(target) ? secured(target) : target;
          const next = there === null ? null : network.serverFor(there, at);
          return there === null || next === null ? null : { handler: outcome.handler, visit: there, server: next };
        });
        if (loop === null || loop.handlers.some((each) => reported.has(each))) continue;
        for (const each of loop.handlers) reported.add(each);
        const [first, ...others] = loop.handlers;
        if (first === undefined) continue;
        report([...first.path, ...locationOf(first)], messageOf(loop), {
          related: others.map((each) => ({
            path: [...each.path, ...locationOf(each)],
            message: 'a redirect in the loop',
          })),
        });
      }
    }
  },
});

const statuses: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308].flatMap((each) => [each, String(each)]));

function redirects({ name, node }: HandlerModel): boolean {
  return name === 'static_response' && statuses.has(own(node, 'status_code')) && locationOf({ node }).length > 0;
}

/** Returns the hosts of all redirects. Returns `null` if a redirect applies to any host or to a wildcard. */
function sourcesOf(seeds: readonly Seed[]): ReadonlySet<string> | null {
  const hosts = new Set<string>();
  for (const seed of seeds) {
    if (seed.hosts.length === 0 || seed.isWildcard) return null;
    for (const host of seed.hosts) hosts.add(host);
  }
  return hosts;
}

/** Reports whether a redirect may lead to another redirect. Most redirects lead to a host without redirects. */
function mayComeBack({ node }: HandlerModel, sources: ReadonlySet<string> | null): boolean {
  const location = getAt(node, locationOf({ node }));
  const [, host] = /^https?:\/\/([^/:?#{}]+)(?:[/:?#]|\{http\.request\.(?:orig_)?uri|$)/i.exec(String(location)) ?? [];
  return host === undefined || sources === null || sources.has(host.toLowerCase());
}

const defaultPlace: readonly string[] = ['headers', 'Location', '0'];

/** Returns the path of the `Location` header in a response. */
function locationOf({ node }: Pick<HandlerModel, 'node'>): readonly string[] {
  const headers = own(node, 'headers');
  if (isObject(headers) && isArray(own(headers, 'Location') ?? null)) return defaultPlace;
  const found = isObject(headers)
    ? Object.entries(headers).find(([name, values]) => name.toLowerCase() === 'location' && isArray(values))
    : undefined;
  return found === undefined ? [] : ['headers', found[0], '0'];
}

/** Host name that no configuration contains. Stands in for the host of routes without a host matcher. */
const anyHost = 'any-host.invalid';

function startsOf(
  doors: readonly Pick<Visit, 'scheme' | 'port'>[],
  hosts: readonly string[],
  paths: readonly string[],
): readonly Visit[] {
  const named = hosts.length > 0 ? hosts : [anyHost];
  return doors.flatMap((door) =>
    named.flatMap((host) => paths.map((path) => ({ ...door, host, path, query: '', method: 'GET' }))),
  );
}

function secured(visit: Visit): Visit {
  return { ...visit, scheme: 'https', port: 443 };
}

function messageOf({ handlers, example, grows }: Loop): string {
  const shown = example.host === anyHost ? example.path : `${example.scheme}://${example.host}${example.path}`;
  const what = grows
    ? `redirects ${shown} repeatedly, to a longer address each time`
    : handlers.length === 1
      ? `redirects ${shown} to itself`
      : `redirects ${shown} in a loop of ${handlers.length} redirects`;
  return `${what}: give it a matcher that its target does not match`;
}
