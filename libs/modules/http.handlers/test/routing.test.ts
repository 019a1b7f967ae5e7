import { expect } from 'chai';
import { request, serve, withRoutes } from '@sluice/testing';
import type { Json, JsonObject } from '@sluice/base';
import { register } from '@sluice/http.handlers';
import { lines, show, through } from './support.ts';

const mark = (name: string): JsonObject => ({ handler: 'headers', response: { add: { 'X-Mark': [name] } } });
const fail = (status: number): JsonObject => ({ handler: 'error', status_code: status });
const marks = async (routes: Json, server: JsonObject = {}): Promise<string> => {
  const response = await request(withRoutes(routes, server), '/', { register: [register] });
  return `${response.status} ${response.headers.all('x-mark').join('')} ${response.text}`;
};

describe('http.handlers.subroute', () => {
  it('subroute continues with the next handler after its routes', async () => {
    expect(
      await marks([
        { handle: [{ handler: 'subroute', routes: [{ handle: [mark('a')] }, { handle: [mark('b')] }] }, mark('c')] },
        { handle: [show('end')] },
      ]),
    ).to.equal('200 abc end');
  });

  it('subroute with a terminal route ends the whole handler chain', async () => {
    expect(
      await marks([
        {
          handle: [
            { handler: 'subroute', routes: [{ terminal: true, handle: [mark('a')] }, { handle: [mark('b')] }] },
            mark('c'),
          ],
        },
        { handle: [show('end')] },
      ]),
    ).to.equal('200 a ');
  });

  it('subroute shares groups with the enclosing routes', async () => {
    expect(
      await marks([
        { handle: [{ handler: 'subroute', routes: [{ group: 'g', handle: [mark('a')] }] }] },
        { group: 'g', handle: [mark('b')] },
      ]),
    ).to.equal('200 a ');
  });

  it('subroute catches errors of its routes and of later handlers', async () => {
    const errors = { routes: [{ handle: [show('caught {http.error.status_code}')] }] };
    expect(await marks([{ handle: [{ handler: 'subroute', errors, routes: [{ handle: [fail(404)] }] }] }])).to.equal(
      '404  caught 404',
    );
    expect(await marks([{ handle: [{ handler: 'subroute', errors, routes: [] }, fail(410)] }])).to.equal(
      '410  caught 410',
    );
  });

  it('subroute continues with the error status if its error routes do not respond', async () => {
    expect(
      await marks([
        {
          handle: [
            { handler: 'subroute', errors: { routes: [{ handle: [mark('e')] }] }, routes: [{ handle: [fail(403)] }] },
            show('after'),
          ],
        },
      ]),
    ).to.equal('403 e after');
  });

  it('subroute passes errors of its error routes to the server', async () => {
    const outer = { errors: { routes: [{ handle: [show('outer {http.error.status_code}')] }] } };
    expect(
      await marks(
        [
          {
            handle: [
              { handler: 'subroute', errors: { routes: [{ handle: [fail(418)] }] }, routes: [{ handle: [fail(404)] }] },
            ],
          },
        ],
        outer,
      ),
    ).to.equal('418  outer 418');
  });
});

describe('http.handlers.invoke', () => {
  it('invoke runs a named route and continues with the next handler', async () => {
    const server = { named_routes: { n: { handle: [{ handler: 'vars', n: 'set' }] } } };
    expect(await marks([{ handle: [{ handler: 'invoke', name: 'n' }, show('after {http.vars.n}')] }], server)).to.equal(
      '200  after set',
    );
  });

  it('invoke fails for an unknown route, and for a route that invokes itself', async () => {
    expect(await marks([{ handle: [{ handler: 'invoke', name: 'no' }] }])).to.equal('500  ');
    expect(
      await marks([{ handle: [{ handler: 'invoke', name: 'n' }] }], {
        named_routes: { n: { handle: [{ handler: 'invoke', name: 'n' }] } },
      }),
    ).to.equal('500  ');
  });
});

describe('http.handlers.error', () => {
  it('the error handler returns only its status if no error route responds', async () => {
    expect(await marks([{ handle: [mark('a'), fail(402)] }])).to.equal('402 a ');
    expect(await marks([{ handle: [fail(500)] }], { errors: { routes: [{ handle: [fail(502)] }] } })).to.equal('500  ');
    expect(await marks([{ handle: [fail(404)] }], { errors: { routes: [{ handle: [mark('e')] }] } })).to.equal(
      '404 e ',
    );
  });

  it('the error handler reverts rewrites before the error routes run', async () => {
    const errors = { routes: [{ handle: [show('{http.request.method} {http.request.uri}')] }] };
    const response = await through([{ handler: 'rewrite', method: 'PUT', uri: '/other?x' }, fail(404)], '/first?y', {
      errors,
    });
    expect(response.text).to.equal('GET /first?y');
  });
});

describe('http.handlers.vars', () => {
  it('the vars handler preserves value types and expands placeholders in strings', async () => {
    const response = await through([
      {
        handler: 'vars',
        a: '{http.request.method}',
        '{http.request.method}x': 'named',
        n: 1.5,
        t: true,
        l: [1, 'a'],
        z: null,
        '@id': 'v',
      },
      show(
        '{http.vars.a} {http.vars.GETx} {http.vars.n} {http.vars.t} {http.vars.l} [{http.vars.z}] [{http.vars.none}]',
      ),
    ]);
    expect(response.text).to.equal('GET named 1.5 true [1 a] [] []');
  });
});

describe('http.handlers.headers', () => {
  it('the headers handler adds, sets, deletes and replaces fields in this order', async () => {
    const response = {
      add: { 'X-A': ['1', '2'] },
      set: { 'X-B': ['a', 'b'] },
      delete: ['X-D*', '*-End'],
      replace: {
        'X-B': [
          { search: 'a', replace: '{http.request.method}' },
          { search_regexp: '(G)E', replace: '$1-' },
        ],
      },
    };
    const before = { handler: 'headers', response: { set: { 'X-Del': ['1'], 'Y-End': ['1'] } } };
    expect(lines(await through([before, { handler: 'headers', response }]))).to.deep.equal([
      'x-a: 1',
      'x-a: 2',
      'x-b: G-T,b',
    ]);
  });

  it('deferred header operations apply when the response head is written, and are dropped on an error', async () => {
    const deferred = {
      handler: 'headers',
      response: { deferred: true, set: { 'X-Copy': ['{http.response.header.X-Src}'] } },
    };
    expect(lines(await through([deferred, { handler: 'static_response', headers: { 'X-Src': ['s'] } }]))).to.deep.equal(
      ['x-src: s', 'x-copy: s'],
    );
    expect(lines(await through([deferred, fail(500)]))).to.deep.equal([]);
  });

  it('the headers handler changes only responses that match the require option', async () => {
    const required = (status: number): JsonObject => ({
      handler: 'headers',
      response: { require: { status_code: [status], headers: { 'X-If': ['*'] } }, set: { 'X-Got': ['yes'] } },
    });
    const response = { handler: 'static_response', headers: { 'X-If': ['1'] } };
    expect(lines(await through([required(2), response]))).to.include('x-got: yes');
    expect(lines(await through([required(4), response]))).to.not.include('x-got: yes');
  });

  it('the headers handler treats Host as the host of the request', async () => {
    const host = (operations: JsonObject): Promise<string> =>
      through([{ handler: 'headers', request: operations }, show('{http.request.hostport}')], {
        host: 'a.test:81',
      }).then(({ text }) => text);
    expect(await host({ set: { Host: ['new.test'] } })).to.equal('new.test');
    expect(await host({ delete: ['Host'] })).to.equal('');
    expect(await host({ replace: { Host: [{ search: 'a', replace: 'b' }] } })).to.equal('b.test:81');
    expect(await host({ set: { 'X-Other': ['1'] } })).to.equal('a.test:81');
  });

  it('the headers handler deletes fields that match a wildcard before it adds and sets fields', async () => {
    for (const name of ['*', '{http.request.header.Star}']) {
      const request = { delete: [name], add: { 'X-A': ['added'] }, set: { 'X-B': ['set'] } };
      const { text } = await through(
        [
          { handler: 'headers', request },
          show('{http.request.header.X-A} {http.request.header.X-B} {http.request.header.X-C}'),
        ],
        { headers: { 'X-A': 'sent', 'X-C': 'sent', Star: '*' } },
      );
      expect(text, name).to.equal('added set ');
    }
  });

  it('the headers handler joins multiple values with commas, except for cookies', async () => {
    const response = { set: { 'X-A': ['1', '2'], 'set-cookie': ['a=1', 'b={http.request.method}'] } };
    const { headers } = await through([{ handler: 'headers', response: { ...response, deferred: true } }, show('')]);
    expect(headers.all('x-a')).to.deep.equal(['1,2']);
    expect(headers.all('set-cookie')).to.deep.equal(['a=1', 'b=GET']);
  });

  it('the headers handler rejects an invalid regular expression and reports its path', async () => {
    const error = await serve(
      withRoutes([{ handle: [{ handler: 'headers', request: { replace: { A: [{ search_regexp: '(' }] } } }] }]),
      { register: [register] },
    ).then(() => null, String);
    expect(error).to.match(
      /apps\.http\.servers\.s\.routes\[0\]\.handle\[0\]\.request\.replace\.A\[0\]\.search_regexp: /,
    );
  });
});

describe('http.handlers.rewrite', () => {
  const table: readonly [options: JsonObject, from: string, to: string][] = [
    [{ uri: '/new?x=1' }, '/old?y=2', '/new?x=1'],
    [{ uri: '/new' }, '/old?y=2', '/new?y=2'],
    [{ uri: '/new?' }, '/old?y=2', '/new'],
    [{ uri: '?q=1' }, '/a?y=2', '/a?q=1'],
    [{ uri: '/p{http.request.uri}' }, '/a?y=2', '/p/a?y=2'],
    [{ uri: '/n{http.request.uri.path}?{http.request.uri.query}&z=1' }, '/a?y=2', '/n/a?y=2&z=1'],
    [{ uri: '/n?{http.request.uri.query}&z=1' }, '/a', '/n?z=1'],
    [{ uri: '/n?v={http.request.uri.query.v}' }, '/a?v=b%26c', '/n?v=b%26c'],
    [{ uri: '/a b%20c#frag' }, '/', '/a%20b%20c'],
    [{ uri: '/100%' }, '/', '/100%25'],
    [{ uri: '/n{http.request.uri.path}' }, '/x%2541%3Fa%23b', '/n/x%2541%3Fa%23b'],
    [{ uri: '{http.request.uri}?' }, '/a?y=2', '/a?y=2'],
    [{ uri: '/n/?{http.request.uri.query}' }, '/a??', '/n/??'],
    [{ uri: '/n?h={http.request.header.X-Value}' }, '/', '/n?h=%2Fv%3Fq%3D%7Bhttp.request.method%7D%26r'],
    [{ uri: '/n{http.request.header.X-Value}' }, '/', '/n/v?q=%7Bhttp.request.method%7D&r'],
    [{ uri: '/n?' }, '/a?', '/n?'],
    [{ strip_path_prefix: '/Pre' }, '/pre/x', '/x'],
    [{ strip_path_prefix: '/pre' }, '/pre', '/'],
    [{ strip_path_prefix: '/pre' }, '/prefix/y', '/fix/y'],
    [{ strip_path_prefix: '/a%2Fb' }, '/a%2fb/c', '/c'],
    [{ strip_path_prefix: '/a%2Fb' }, '/a/b/c', '/a/b/c'],
    [{ strip_path_prefix: '/a/b' }, '/a//b//c', '/c'],
    [{ strip_path_prefix: '/b' }, '/a/../b//c/./d/?//x/..', '/c/d/?//x/..'],
    [{ strip_path_prefix: '/none' }, '/..//a', '/a'],
    [{ strip_path_prefix: '//none' }, '/a//b/./c', '/a//b/c'],
    [{ strip_path_prefix: '/a' }, '/a%2Fb', '/b'],
    [{ strip_path_prefix: '/a' }, '/a/x%2Fb', '/x%2Fb'],
    [{ strip_path_prefix: '/a' }, '/a../b', '/b'],
    [{ strip_path_prefix: '/a' }, '/a..%2fb', '/b'],
    [{ strip_path_prefix: '/a' }, '/a/%2e%2E/b%20c', '/b%20c'],
    [{ strip_path_prefix: '/a' }, '/a%2f..%2fb', '/b'],
    [{ strip_path_prefix: '/a' }, '/none/%2e%2e/b', '/none/%2e%2e/b'],
    [{ strip_path_suffix: 'x' }, '/a/..x', '/'],
    [{ strip_path_suffix: '{http.request.uri.query.none}' }, '/b/%2e%2e/a', '/b/%2e%2e/a'],
    [{ strip_path_suffix: 'x' }, '/a/b%2f%2e%2e%2fcx', '/a/c'],
    [{ strip_path_suffix: '.html' }, '/x.HTML?q', '/x?q'],
    [{ strip_path_suffix: '/' }, '/x//y/../', '/x'],
    [{ uri_substring: [{ find: '/x', replace: '/y' }] }, '/./x//x?//x', '/y/y?//y'],
    [{ uri_substring: [{ find: '//', replace: '-' }] }, '/x//./y', '/x-y'],
    // The replacement breaks the escape, so the decoded path is changed and normalized.
    [{ uri_substring: [{ find: '2', replace: 'z' }] }, '/a%2F%2e%2e/x', '/x'],
    [{ uri_substring: [{ find: '{http.request.uri.query.none}', replace: 'x' }] }, '/a', '/a'],
    [{ path_regexp: [{ find: 'none', replace: '' }] }, '//x/../y', '//x/../y'],
    [{ uri_substring: [{ find: 'a', replace: 'b', limit: 1 }] }, '/aa?aa', '/ba?ba'],
    [
      {
        path_regexp: [
          { find: '/{2,}', replace: '/' },
          { find: '^/x/(.*)', replace: '/y/$1' },
        ],
      },
      '/x//b',
      '/y/b',
    ],
    [{ path_regexp: [{ find: 'x', replace: '?' }] }, '/x', '/%3F'],
    [{ path_regexp: [{ find: '[a-z]+', replace: '<$0>' }] }, '/x%2fb/c', '/%3Cx%3E/%3Cb%3E/%3Cc%3E'],
    [{ uri: '/%zz', path_regexp: [{ find: '25', replace: '%' }] }, '/', '/%25zz'],
    [{ uri_substring: [{ find: '2', replace: 'x' }] }, '/a%20b2', '/a%20bx'],
    [{ uri_substring: [{ find: 'a', replace: '' }] }, '/x?a', '/x'],
    [{ uri_substring: [{ find: 'a', replace: '' }] }, '/x?', '/x?'],
    [{ query: {} }, '/?b=1&a=2;c&d', '/?b=1&d='],
    [{ query: { delete: ['a'] } }, '/?a=1', '/'],
    [{ query: {} }, '/?', '/?'],
    [{ query: { delete: ['{http.request.header.None}'] } }, '/?=v', '/?=v'],
    [
      {
        query: {
          rename: [{ key: 'a', val: 'z' }],
          set: [{ key: 's', val: '{http.request.method}' }],
          add: [{ key: 'z', val: '2' }],
          delete: ['d'],
          replace: [{ key: '*', search: '1', replace: 'one' }],
        },
      },
      '/?a=1&d=3',
      '/?s=GET&z=one&z=2',
    ],
  ];
  for (const [options, from, to] of table) {
    it(`rewrite ${JSON.stringify(options)} converts ${from} to ${to}`, async () => {
      const request = { path: from, headers: { 'X-Value': '/v?q={http.request.method}&r' } };
      expect((await through([{ handler: 'rewrite', ...options }, show('{http.request.uri}')], request)).text).to.equal(
        to,
      );
    });
  }

  it('the rewrite handler keeps a trailing `?` from the client, even if a query was added and removed', async () => {
    const steps = ['?b=2', '?'].map((uri) => ({ handler: 'rewrite', uri }));
    expect((await through([...steps, show('{http.request.uri}')], '/a?')).text).to.equal('/a?');
    expect((await through([...steps, show('{http.request.uri}')], '/a')).text).to.equal('/a');
  });
});
