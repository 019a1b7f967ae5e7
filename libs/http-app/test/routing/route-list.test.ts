import { expect } from 'chai';
import fc from 'fast-check';
import { ChunkedList } from '@sluice/base';
import { endOfChain, RouteList, type Exchange, type HttpMatcher, type Route } from '@sluice/http-app';
import { makeExchange } from '@sluice/testing';
import { Cursor, startRouting } from '../../src/routing/routing-state.ts';
import { keysOfSets } from '../../src/routing/keys.ts';

/**
 * Returns a matcher for one host, either exact or with a wildcard label. If `keyed` is true, the matcher declares the host as a key for the
 * route index.
 */
function hostMatcher(pattern: string, keyed: boolean): HttpMatcher {
  const matches = (host: string): boolean =>
    pattern.startsWith('*.')
      ? host.slice(host.indexOf('.')) === pattern.slice(1) && host.includes('.')
      : host === pattern;
  return { match: (exchange) => matches(exchange.host), keys: keyed ? { kind: 'host', keys: [pattern] } : null };
}

function pathMatcher(pattern: string, keyed: boolean): HttpMatcher {
  const matches = (path: string): boolean =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return { match: (exchange) => matches(exchange.path), keys: keyed ? { kind: 'path', keys: [pattern] } : null };
}

interface Plan {
  readonly id: number;
  readonly host: string | null;
  readonly path: string | null;
  readonly keyed: boolean;
  readonly group: string;
  readonly terminal: boolean;
  readonly wait: boolean;
  /** Action of the route: pass the request on, rewrite its path first, or respond. */
  readonly act: 'pass' | 'rewrite' | 'respond';
}

function routeOf(plan: Plan): Route {
  const set: HttpMatcher[] = [];
  if (plan.host !== null) set.push(hostMatcher(plan.host, plan.keyed));
  if (plan.path !== null) set.push(pathMatcher(plan.path, plan.keyed));
  if (plan.wait) set.push({ match: () => Promise.resolve(true) });
  const sets = set.length === 0 ? [] : [set];
  return {
    group: plan.group,
    terminal: plan.terminal,
    sets,
    places: [],
    matcherPlace: { module: '', route: '', node: null },
    readsBody: false,
    meter: null,
    keys: keysOfSets(sets),
    handlers: [
      {
        handle: (exchange, next) => {
          exchange.setVariable('trace', `${String(exchange.variable('trace') ?? '')} ${plan.id}`);
          if (plan.act === 'rewrite') exchange.rawPath = '/b/c';
          return plan.act === 'respond' ? undefined : next(exchange);
        },
      },
    ],
  };
}

/** A simple reference implementation that tests each route in order. */
function naive(plans: readonly Plan[], host: string, path: string): string {
  const groups = new Set<string>();
  let trace = '';
  let current = path;
  for (const plan of plans) {
    if (plan.group !== '' && groups.has(plan.group)) continue;
    const exchange = makeExchange({ host, path: current });
    const bare: Plan = { ...plan, keyed: false, wait: false };
    if (!(routeOf(bare).sets[0] ?? []).every((matcher) => matcher.match(exchange) === true)) continue;
    if (plan.group !== '') groups.add(plan.group);
    trace += ` ${plan.id}`;
    if (plan.act === 'rewrite') current = '/b/c';
    if (plan.act === 'respond' || plan.terminal) break;
  }
  return trace;
}

async function walk(list: RouteList, host: string, path: string): Promise<string> {
  const exchange: Exchange = makeExchange({ host, path });
  startRouting(exchange, new Cursor(list, endOfChain, null));
  await list.after(exchange, Number.NEGATIVE_INFINITY);
  return String(exchange.variable('trace') ?? '');
}

const hosts = ['a.test', 'b.test', '*.test', 'x.a.test', '*.a.test'];
const paths = ['/a', '/b/*', '/b/c', '/*', '/b/c/*'];
const plan = fc.record({
  host: fc.option(fc.constantFrom(...hosts)),
  path: fc.option(fc.constantFrom(...paths)),
  keyed: fc.boolean(),
  group: fc.constantFrom('', '', 'g', 'h'),
  terminal: fc.boolean(),
  wait: fc.boolean(),
  act: fc.constantFrom('pass' as const, 'pass' as const, 'rewrite' as const, 'respond' as const),
});
const numbered = (list: readonly Omit<Plan, 'id'>[]): Plan[] => list.map((entry, id) => ({ ...entry, id }));
const someHost = fc.constantFrom('a.test', 'b.test', 'x.a.test', 'other');
const somePath = fc.constantFrom('/a', '/b/c', '/b/c/d', '/', '/z', '//a', '/b/./c');

for (const indexFrom of [1, 1000])
  describe(`RouteList with an index from ${indexFrom} keyed routes`, () => {
    it('RouteList behaves like a linear search through its routes, with or without an index', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(plan, { maxLength: 14 }), someHost, somePath, async (list, host, path) => {
          const plans = numbered(list);
          expect(await walk(RouteList.compile(plans.map(routeOf), null, indexFrom), host, path)).to.equal(
            naive(plans, host, path),
          );
        }),
        { numRuns: 400 },
      );
    });

    it('a RouteList derived from the previous list behaves like a new RouteList', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(plan, { minLength: 4, maxLength: 12 }),
          fc.array(fc.record({ at: fc.nat(30), removed: fc.nat(3), added: fc.array(plan, { maxLength: 3 }) }), {
            minLength: 1,
            maxLength: 12,
          }),
          someHost,
          somePath,
          async (first, edits, host, path) => {
            let plans = numbered(first);
            let routes = plans.map(routeOf);
            let list = RouteList.compile(routes, null, indexFrom);
            let id = plans.length;
            for (const edit of edits) {
              const at = edit.at % (plans.length + 1);
              const added = edit.added.map((entry): Plan => ({ ...entry, id: id++ }));
              plans = plans.toSpliced(at, edit.removed, ...added);
              routes = routes.toSpliced(at, edit.removed, ...added.map(routeOf));
              list = RouteList.compile(routes, list, indexFrom);
              expect(await walk(list, host, path)).to.equal(naive(plans, host, path));
            }
          },
        ),
        { numRuns: 150 },
      );
    });

    it('RouteList supports thousands of insertions at one position', async () => {
      const base: Plan = {
        id: 0,
        host: 'a.test',
        path: null,
        keyed: true,
        group: '',
        terminal: false,
        wait: false,
        act: 'pass',
      };
      let routes = Array.from({ length: 8 }, (_, id) => routeOf({ ...base, id }));
      let list = RouteList.compile(routes);
      for (let id = 8; id < 3000; id++) {
        routes = routes.toSpliced(4, 0, routeOf({ ...base, id }));
        list = RouteList.compile(routes, list);
      }
      const trace = (await walk(list, 'a.test', '/')).trim().split(' ').map(Number);
      expect(trace).to.deep.equal([0, 1, 2, 3, ...Array.from({ length: 2992 }, (_, i) => 2999 - i), 4, 5, 6, 7]);
    });

    it('RouteList tests only routes that could match', async () => {
      let asked = 0;
      const routes = Array.from({ length: 10_000 }, (_, id): Route => {
        const host = `h${id}.test`;
        const sets = [
          [
            {
              match: (exchange: Exchange) => (asked++, exchange.host === host),
              keys: { kind: 'host' as const, keys: [host] },
            },
          ],
        ];
        return {
          group: '',
          terminal: true,
          sets,
          places: [],
          matcherPlace: { module: '', route: '', node: null },
          readsBody: false,
          meter: null,
          keys: keysOfSets(sets),
          handlers: [{ handle: (exchange, next) => (exchange.setVariable('trace', id), next(exchange)) }],
        };
      });
      const list = RouteList.compile(routes);
      expect(await walk(list, 'h9999.test', '/')).to.equal('9999');
      expect(asked).to.equal(1);
    });

    it('RouteList compiles changed routes, and shares all other routes with the previous list', () => {
      const plan = { path: null, group: '', terminal: true, wait: false, act: 'pass' } as const;
      const routes = ChunkedList.of(
        Array.from({ length: 10_000 }, (_, id) => routeOf({ ...plan, id, host: `h${id}.test`, keyed: true })),
      );
      const list = RouteList.compile(routes, null, indexFrom);
      const changed = routeOf({ ...plan, id: -1, host: 'new.test', keyed: true });
      const next = RouteList.compile(routes.replace(5000, 1, [changed]), list, indexFrom);
      const known = new Set(list.entries);
      expect([...next.entries].filter((entry) => !known.has(entry)).map(({ route }) => route)).to.deep.equal([changed]);
      const chunks = new Set(list.entries.chunks);
      expect(next.entries.chunks.filter((chunk) => !chunks.has(chunk))).to.have.length(1);
    });

    it('RouteList reuses the entries between two distant changes', () => {
      const plan = { path: null, group: '', terminal: true, wait: false, act: 'pass' } as const;
      const made = (id: number): Route => routeOf({ ...plan, id, host: `h${id}.test`, keyed: true });
      const routes = Array.from({ length: 2000 }, (_, id) => made(id));
      const list = RouteList.compile(routes, null, indexFrom);
      const added = [made(3000), made(3001), made(3002)];
      const [first, second, third] = added as [Route, Route, Route];
      const changed = routes.with(1900, third).toSpliced(10, 0, first, second);
      const next = RouteList.compile(changed, list, indexFrom);
      const known = new Set(list.entries);
      expect([...next.entries].filter((entry) => !known.has(entry)).map(({ route }) => route)).to.deep.equal(added);
      expect([...next.entries].map(({ route }) => route)).to.deep.equal(changed);
      const ranks = [...next.entries].map(({ rank }) => rank);
      expect(ranks).to.deep.equal(ranks.toSorted((one, other) => one - other));
    });

    it('RouteList propagates synchronous and asynchronous errors of handlers', async () => {
      const failing = (wait: boolean): Route => ({
        ...routeOf({ id: 0, host: null, path: null, keyed: false, group: '', terminal: false, wait, act: 'pass' }),
        handlers: [
          {
            handle: () => {
              throw new Error('broken');
            },
          },
        ],
      });
      for (const wait of [false, true]) {
        const error = await walk(RouteList.compile([failing(wait)]), 'h', '/').then(() => null, String);
        expect(error).to.equal('Error: broken');
      }
    });
  });
