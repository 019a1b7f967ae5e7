import { expect } from 'chai';
import { adapt, problemOf, serversOf } from '../language.ts';

interface Route {
  readonly group?: string;
  readonly match?: readonly { readonly path?: readonly string[] }[];
  readonly handle?: readonly { readonly handler: string; readonly body?: string; readonly routes?: readonly Route[] }[];
}

const routesOf = async (directives: string, options = ''): Promise<readonly Route[]> => {
  const servers = await serversOf(`${options}:80 {\n${directives}\n}\n`);
  return (servers['srv0'] as unknown as { routes: readonly Route[] }).routes;
};

const short = async (directives: string, options?: string): Promise<string[]> =>
  (await routesOf(directives, options)).map(({ match, handle }) =>
    [match?.[0]?.path?.join(), ...(handle ?? []).map(({ handler, body }) => body ?? handler)].filter(Boolean).join(' '),
  );

describe('routes of a Caddyfile site', () => {
  it('Caddyfile routes are sorted by directive order', async () => {
    expect(await short('\trespond a\n\theader A 1\n\trewrite /b\n\tvars c d\n')).to.deep.equal([
      'vars headers',
      'rewrite',
      'a',
    ]);
  });

  it('Caddyfile routes are sorted by path specificity, with exact paths before wildcard paths', async () => {
    const lines = ['/a*', '/a/b', '/a', '/a/*', '/b', '/a/b*', '*'].map((path) => `\trespond ${path} r`).join('\n');
    expect(await short(lines)).to.deep.equal(['/a/b r', '/a/b* r', '/a/* r', '/a r', '/a* r', '/b r', 'r']);
  });

  it('the vars directive with the most specific matcher is applied last', async () => {
    expect(await short('\tvars /a/b x 1\n\tvars y 2\n\tvars /a z 3\n')).to.deep.equal(['vars', '/a vars', '/a/b vars']);
  });

  it('Caddyfile routes are sorted correctly even if there are more than twenty matchers', async () => {
    const paths = Array.from({ length: 25 }, (_, i) => `/${'x'.repeat(1 + ((i * 7) % 25))}`);
    const sorted = paths.toSorted((a, b) => b.length - a.length);
    expect(await short(paths.map((path) => `\trespond ${path} r`).join('\n'))).to.deep.equal(
      sorted.map((path) => `${path} r`),
    );
  });

  it('the order global option determines the order of Caddyfile routes', async () => {
    expect(await short('\trespond a\n\tloose b\n', '{\n\torder loose before respond\n}\n')).to.deep.equal(['b a']);
    expect(await short('\trespond a\n\tloose b\n', '{\n\torder loose after respond\n}\n')).to.deep.equal(['a b']);
    expect(await short('\tvars a 1\n\tloose b\n', '{\n\torder loose first\n}\n')).to.deep.equal(['b vars']);
    expect(await short('\trespond a\n\tvars a 1\n', '{\n\torder vars last\n}\n')).to.deep.equal(['a vars']);
  });

  it('Caddyfile routes keep their written order in route blocks, and are sorted in handle blocks', async () => {
    const inner = '{\n\t\trespond a\n\t\theader A 1\n\t}';
    const handlersIn = async (name: string): Promise<unknown> =>
      (await routesOf(`\t${name} ${inner}`))[0]?.handle?.[0]?.routes?.[0]?.handle?.map(({ handler }) => handler);
    expect(await handlersIn('route')).to.deep.equal(['static_response', 'headers']);
    expect(await handlersIn('handle')).to.deep.equal(['headers', 'static_response']);
  });

  it('mutually exclusive Caddyfile routes of the same directive are in one group', async () => {
    /** Returns the group numbers of the routes in order of occurrence. 0 means no group. */
    const groups = async (directives: string): Promise<number[]> => {
      const names = (await routesOf(directives)).map(({ group }) => group);
      const known = [...new Set(names.filter((name) => name !== undefined))];
      return names.map((name) => (name === undefined ? 0 : 1 + known.indexOf(name)));
    };
    expect(await groups('\thandle /a {\n\t}\n\thandle {\n\t}\n')).to.deep.equal([1, 1]);
    expect(await groups('\thandle {\n\t}\n')).to.deep.equal([0]);
    expect(await groups('\trewrite /a /b\n\trespond c\n')).to.deep.equal([1, 0]);
    const both = '\trewrite /a /b\n\trewrite /c /d\n\thandle /a {\n\t}\n\thandle {\n\t}\n';
    expect(await groups(both)).to.deep.equal([1, 1, 2, 2]);
  });

  it('a named matcher with several conditions requires all of them', async () => {
    const matchOf = async (definition: string, use = '@m'): Promise<Route['match']> =>
      (await routesOf(`\t@m ${definition}\n\trespond ${use} a`))[0]?.match;
    expect(await matchOf('path /a /b')).to.deep.equal([{ path: ['/a', '/b'] }]);
    expect(await matchOf('{\n\t\tpath /a\n\t\tmethod GET\n\t}')).to.deep.equal([{ method: ['GET'], path: ['/a'] }]);
    expect(await matchOf('{\n\t\tpath /a\n\t\tpath /b\n\t}')).to.deep.equal([{ path: ['/a', '/b'] }]);
    expect(await matchOf('`a == b`')).to.deep.equal([{ expression: ['a == b'] }]);
    expect(await matchOf('path /a', '*')).to.equal(undefined);
  });

  it('matchers defined in an enclosing block are visible in nested blocks', async () => {
    const [outer] = await routesOf(
      '\t@a path /a\n\thandle {\n\t\t@b path /b\n\t\trespond @a 1\n\t\trespond @b 2\n\t}\n',
    );
    expect(outer?.handle?.[0]?.routes?.map(({ match }) => match)).to.deep.equal([
      [{ path: ['/a'] }],
      [{ path: ['/b'] }],
    ]);
    expect(await problemOf(':80 {\n\thandle {\n\t\t@b path /b\n\t}\n\trespond @b 2\n}\n')).to.contain('@b');
  });

  it('response handlers with a matcher come before response handlers without a matcher', async () => {
    const [route] = await routesOf(
      '\tintercept {\n\t\t@bad {\n\t\t\tstatus 5xx 404\n\t\t\theader Content-Type text/*\n\t\t\theader !X-A\n\t\t}\n\t\t@gone status 410\n' +
        '\t\thandle_response {\n\t\t\trespond all\n\t\t}\n\t\thandle_response @bad {\n\t\t\trespond bad\n\t\t}\n' +
        '\t\treplace_status @gone 404\n\t\treplace_status 299\n\t}\n',
    );
    const bad = { status_code: [5, 404], headers: { 'Content-Type': ['text/*'], 'X-A': null } };
    const routes = (body: string): object[] => [{ handle: [{ body, handler: 'static_response' }] }];
    expect(route?.handle?.[0]).to.deep.equal({
      handle_response: [
        { match: { status_code: [410] }, status_code: 404 },
        { match: bad, routes: routes('bad') },
        { status_code: 299 },
        { routes: routes('all') },
      ],
      handler: 'intercept',
    });
    for (const [line, problem] of [
      ['replace_status', 'must have one or two arguments'],
      ['replace_status a 404', 'must use a named response matcher'],
      ['handle_response a {\n\t\t}', 'must use a named response matcher'],
      ['handle_response @a {\n\t\t}', "no named response matcher defined with name 'a'"],
      ['handle_response @a @b {\n\t\t}', "too many arguments for 'handle_response'"],
      ['@a status x', "bad status value 'x'"],
      ['@a header b', 'malformed header matcher'],
      ['@a body b', 'unrecognized response matcher body'],
      ['@a status 1\n\t\t@a status 2', 'matcher is defined more than once: @a'],
    ] as const)
      expect(await problemOf(`:80 {\n\tintercept {\n\t\t${line}\n\t}\n}\n`), line).to.contain(problem);
  });

  it('explain() shows the order of routes and the reason for it', async () => {
    const text =
      '{\n\torder loose before respond\n}\n:80 {\n\trespond /a/b 1\n\trespond /a 2\n\trespond /a* 3\n\trespond /b 4\n\trespond 5\n' +
      '\tloose x\n\tvars /a b 1\n\tvars c 2\n\troute {\n\t\trespond 6\n\t\theader A 1\n\t}\n\thandle /h {\n\t}\n\thandle {\n\t}\n' +
      '\thandle_errors {\n\t\trespond all\n\t}\n\thandle_errors 404 {\n\t\trespond none\n\t}\n}\n';
    const lines = ((await adapt(text)).explain?.() ?? '').split('\n').map((line) => line.trim());
    expect(lines[0]).to.equal(':80 (Caddyfile:4)');
    for (const [line, reason] of [
      ['vars c 2 (Caddyfile:12)', 'first in the directive order'],
      ['vars /a b 1 (Caddyfile:11)', 'the most specific directive comes last here, so that it overwrites the others'],
      ['respond 6 (Caddyfile:14)', 'as written: route preserves the order'],
      ['loose x (Caddyfile:10)', 'set by the global option order loose before respond'],
      ['respond /a 2 (Caddyfile:6)', 'the path /a/b is longer, and therefore more specific than /a'],
      ['respond /b 4 (Caddyfile:8)', 'the path /a* is longer, and therefore more specific than /b'],
      ['respond /a* 3 (Caddyfile:7)', 'the path /a without a wildcard is more specific than /a*'],
      ['respond 5 (Caddyfile:9)', 'no matcher; directives with a matcher come first'],
      [
        'handle_errors 404 (Caddyfile:24)',
        'error routes for specific statuses come before error routes for all statuses',
      ],
      ['handle_errors (Caddyfile:21)', 'for all statuses'],
      ['Of these handle and handle_path directives, only the first match runs.', ''],
    ] as const) {
      const found = lines.find((each) => each.replace(/^\d+\. /, '').startsWith(line));
      expect(found, line).to.contain(reason);
    }
    expect((await adapt(':80 {\n}\n')).explain?.()).to.equal(
      ':80 (Caddyfile:1)\n  no directive that handles requests\n',
    );
  });
});
