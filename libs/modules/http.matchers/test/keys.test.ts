import { expect } from 'chai';
import fc from 'fast-check';
import { endOfChain, RouteList, type HttpMatcher, type Route } from '@sluice/http-app';
import { makeExchange } from '@sluice/testing';
import { hostMatcher } from '../src/host/index.ts';
import { pathMatcher } from '../src/path/index.ts';

function routeOf(matcher: HttpMatcher, id: number): Route {
  const { keys } = matcher;
  const handle = (exchange: { setVariable(name: string, value: unknown): void }): void =>
    exchange.setVariable('first', id);
  return {
    group: '',
    terminal: true,
    sets: [[matcher]],
    handlers: [{ handle }],
    keys:
      keys == null
        ? null
        : { hosts: keys.kind === 'host' ? keys.keys : [], paths: keys.kind === 'path' ? keys.keys : [] },
    places: [],
    matcherPlace: { module: '', route: '', node: null },
    readsBody: false,
    meter: null,
  };
}

const labels = fc.array(fc.constantFrom('a', 'b', 'A', '*', 'test', 'bücher', ''), { minLength: 1, maxLength: 3 });
const hostPattern = labels.map((parts) => parts.join('.'));
const host = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'B', 'test', 'xn--bcher-kva', ''), { maxLength: 3 }),
    fc.constantFrom('', ':80', ':'),
  )
  .map(([parts, port]) => parts.join('.') + port);
const ipv6 = fc.constantFrom('[::1]', '[::1]:80', '[::1', '::1');

const piece = fc.constantFrom('a', 'B', 'é', '/', '/', '//', '/.', '/..', '.php', ' ');
const pathPattern = fc
  .array(fc.oneof(piece, fc.constantFrom('*', '/*', '?', '[ab]', '\\a', '%2F', '%*')), { maxLength: 6 })
  .map((parts) => (parts[0] === '*' ? '' : '/') + parts.join(''));
const path = fc
  .array(fc.oneof(piece.map(encodeURI), fc.constantFrom('%2F', '%61', '%2e', 'É'.normalize(), '%C3%89')), {
    maxLength: 7,
  })
  .map((parts) => encodeURI(decodeURI(`/${parts.join('')}`)).replaceAll('%25', '%'));

const matcher = fc.oneof(
  fc
    .uniqueArray(hostPattern, { maxLength: 3, selector: (pattern) => pattern.toLowerCase() })
    .map((patterns) => hostMatcher(patterns)),
  fc.array(fc.constantFrom('::1', 'a'), { minLength: 1, maxLength: 1 }).map((patterns) => hostMatcher(patterns)),
  fc.array(pathPattern, { minLength: 1, maxLength: 3 }).map((patterns) => pathMatcher(patterns)),
);

describe('matcher index keys', () => {
  it('a route index built from matcher keys never skips a route that matches the request', () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(matcher, { minLength: 6, maxLength: 12 }),
        fc.oneof(host, ipv6),
        path,
        (matchers, name, target) => {
          const exchange = makeExchange({ host: name, path: target });
          const expected = matchers.findIndex((one) => one.match(exchange) === true);
          const list = RouteList.compile(matchers.map(routeOf));
          void list.enter(exchange, endOfChain);
          expect(exchange.variable('first') ?? -1).to.equal(expected);
          if (expected >= 0) found++;
        },
      ),
      { numRuns: 1200 },
    );
    expect(found).to.be.greaterThan(200);
  });

  const table: [matcher: HttpMatcher, keys: readonly string[] | null][] = [
    [hostMatcher(['A.test', '*.b.test']), ['a.test', '*.b.test']],
    [hostMatcher(['a.test', '{http.request.header.x}']), null],
    [hostMatcher(['*.*.test']), null],
    [hostMatcher(['*']), null],
    [hostMatcher(['::1']), null],
    [hostMatcher([]), []],
    [pathMatcher(['/A', '/b/*']), ['/a', '/b/*']],
    [pathMatcher(['/a/b*', '/c/*/d', '/e/?']), ['/a/*', '/c/*', '/e/*']],
    [pathMatcher(['/a', '*.php']), null],
    [pathMatcher(['/a*']), null],
    [pathMatcher(['/a%2F']), null],
    [pathMatcher(['/a', '{http.request.header.x}']), null],
  ];
  for (const [index, [one, keys]] of table.entries()) {
    it(`matcher index keys exist if all patterns can be indexed (${index})`, () => {
      expect(one.keys?.keys ?? null).to.deep.equal(keys);
    });
  }
});
