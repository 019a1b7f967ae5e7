import { expect } from 'chai';
import { loadBehavior } from '@sluice/http-analysis';
import { httpApp } from '@sluice/http-app';
import { serve, type TestServer } from '@sluice/testing';
import type { Json } from '@sluice/base';

interface Site {
  readonly routes: Json[];
  readonly server?: object;
  readonly apps?: object;
}

const respond: Json = { handler: 'static_response', body: 'x' };
const route = (match: object | null, ...handle: Json[]): Json => ({
  ...(match === null ? {} : { match: [match as Json] }),
  handle,
  terminal: true,
});
const passing = (...handle: Json[]): Json => ({ handle });
const a = route({ host: ['a.test'] }, respond);
const b = route({ host: ['b.test'] }, respond);
const setHost: Json = { handler: 'headers', request: { set: { Host: ['b.test'] } } };

describe('affectedRequests', () => {
  let server: TestServer;
  afterEach(() => server.close());

  /** Returns the request targets that a change may affect, or `null` if the change may affect all requests. */
  const affected = async (before: Site, after: Site, ...targets: string[]): Promise<string[] | null> => {
    const documentOf = ({ routes, server: own = {}, apps = {} }: Site): Json => ({
      apps: { http: { servers: { s: { routes, ...own } } }, ...apps },
    });
    server = await serve(documentOf(before), { register: [], standard: true });
    const { affectedBy } = await loadBehavior();
    const { reconciler } = server;
    let found: string[] | null = null;
    const { admin } = server.reconciler.document as { admin?: Json };
    await reconciler.tryOut({ ...(documentOf(after) as object), ...(admin === undefined ? {} : { admin }) }, (apps) => {
      const [app, next] = [reconciler.app(httpApp), apps.app(httpApp)];
      if (app === null || next === null) throw new Error('no http app');
      const test = affectedBy(
        { app, document: reconciler.effective },
        { app: next, document: { ...(documentOf(after) as object), admin: null } },
      );
      if (test !== null)
        found = targets.filter((target) => {
          const slash = target.indexOf('/');
          return test({ host: target.slice(0, slash), path: target.slice(slash) });
        });
      return Promise.resolve();
    });
    return found;
  };

  it('a change affects requests for the hosts of the routes that it adds, edits or removes', async () => {
    const targets = ['a.test/', 'A.test:8080/', 'b.test/', 'x.c.test/', 'd.test/'];
    const after = [a, route({ host: ['*.c.test'] }, respond)];
    expect(await affected({ routes: [a, b] }, { routes: after }, ...targets)).to.deep.equal(['b.test/', 'x.c.test/']);
  });

  it('a change affects requests for the paths of the routes that it adds, edits or removes, if these routes match any host', async () => {
    const before = [route({ path: ['/one/*'] }, respond), route({ path: ['/two'] }, respond)];
    const after = [before[0] as Json, route({ path: ['/two'] }, { ...(respond as object), body: 'y' })];
    const targets = ['a.test/one/1', 'a.test/TWO', 'a.test/two/3', 'a.test//two'];
    expect(await affected({ routes: before }, { routes: after }, ...targets)).to.deep.equal([
      'a.test/TWO',
      'a.test//two',
    ]);
  });

  for (const [title, before, after] of [
    ['a changed route has no host or path', { routes: [a, b] }, { routes: [a, b, route(null, respond)] }],
    ['an earlier route changes the host', { routes: [passing(setHost), a] }, { routes: [passing(setHost), b] }],
    [
      'an earlier route rewrites the path',
      { routes: [passing({ handler: 'rewrite', uri: '/b' }), route({ path: ['/a'] }, respond)] },
      { routes: [passing({ handler: 'rewrite', uri: '/b' }), route({ path: ['/b'] }, respond)] },
    ],
    ['an option of the server changes', { routes: [a, b] }, { routes: [a], server: { strict_sni_host: true } }],
    ['another app changes', { routes: [a, b] }, { routes: [a], apps: { tls: {} } }],
    [
      'a changed route sets placeholders while it is matched',
      { routes: [a] },
      { routes: [a, route({ host: ['b.test'], path_regexp: { pattern: '(.)' } }, respond)] },
    ],
  ] as readonly (readonly [string, Site, Site])[])
    it(`all requests are affected if ${title}`, async () => {
      expect(await affected(before, after, 'other.test/')).to.equal(null);
    });

  it('a change does not affect all requests if the only route that rewrites the host is terminal', async () => {
    const before = [route({ host: ['c.test'] }, setHost, respond), a];
    expect(await affected({ routes: before }, { routes: [before[0] as Json, b] }, 'a.test/', 'c.test/')).to.deep.equal([
      'a.test/',
    ]);
  });
});
