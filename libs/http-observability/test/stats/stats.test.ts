import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@sluice/base';
import { statsLists } from '../../src/stats/stats-json.ts';
import { countedServer, type CountedServer, type StatsDocument } from './counted-server.ts';

const says = (body: string, more: Readonly<Record<string, Json>> = {}): Json => ({ handler: 'says', body, ...more });
const route = (match: Json, ...handle: Json[]): Json => ({ match: [match], handle, terminal: true });
const site = (host: string, ...routes: Json[]): Json => route({ host: [host] }, { handler: 'nest', routes });

describe('statistics of a server', () => {
  let server: CountedServer | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  async function started(routes: Json, more: Readonly<Record<string, Json>> = {}): Promise<CountedServer> {
    server = await countedServer(routes, more);
    return server;
  }

  it('statistics count requests and bytes by server, route, host and status', async () => {
    const { request, stats, routes } = await started([
      route({ path: ['/a'] }, says('four')),
      route({ path: ['/b'] }, says('', { status: 404 })),
    ]);
    for (const path of ['/a', '/a', '/b', '/c']) await request({ path, host: 'X.test:8080', body: 'abc' });
    const { total, hosts, servers } = stats();
    expect(routes()).to.deep.equal({ 'routes[0]': 2, 'routes[1]': 1 });
    expect(total.status).to.deep.equal({ cut: 0, '1xx': 0, '2xx': 3, '3xx': 0, '4xx': 1, '5xx': 0 });
    expect(total.bytes_out).to.equal(8);
    expect(hosts.map(({ host, requests }) => [host, requests])).to.deep.equal([['x.test', 4]]);
    expect(servers[0]).to.deep.include({ requests: 4, in_flight: 0 });
  });

  it('statistics attribute a request to the route whose handler ran last, and to its enclosing routes', async () => {
    const { request, stats } = await started([
      { handle: [{ handler: 'pass' }] },
      site('a.test', route({ path: ['/in'] }, says('in'))),
    ]);
    await request({ host: 'a.test', path: '/in' });
    await request({ host: 'a.test', path: '/none' });
    await request({ host: 'b.test', path: '/' });
    const own = Object.fromEntries(
      stats().routes.map((each) => [each.path.slice('apps.http.servers.s.'.length), [each.requests, each.own]]),
    );
    expect(own).to.deep.equal({
      'routes[0]': [1, 1],
      'routes[1]': [2, 1],
      'routes[1].handle[0].routes[0]': [1, 1],
    });
  });

  it('statistics distinguish identical routes in different parent routes', async () => {
    const same = route({ path: ['/x'] }, says('same'));
    const { request, routes } = await started([site('a.test', same), site('b.test', same)]);
    await request({ host: 'a.test', path: '/x' });
    for (let i = 0; i < 2; i++) await request({ host: 'b.test', path: '/x' });
    expect(routes()).to.deep.equal({
      'routes[0]': 1,
      'routes[0].handle[0].routes[0]': 1,
      'routes[1]': 2,
      'routes[1].handle[0].routes[0]': 2,
    });
  });

  it('statistics distinguish identical nested routes by their configuration path', async () => {
    const same: Json = { handle: [says('same')] };
    const below = (path: string): Json => route({ path: [path] }, { handler: 'nest', routes: [same] });
    const { request, routes } = await started([below('/a'), below('/b')]);
    await request('/a');
    for (let i = 0; i < 2; i++) await request('/b');
    expect(routes()).to.deep.include({
      'routes[0].handle[0].routes[0]': 1,
      'routes[1].handle[0].routes[0]': 2,
    });
  });

  it('statistics attribute errors to the route that caused them, even if an error route handles them', async () => {
    const { request, stats, routes } = await started([route({ path: ['/e'] }, says('', { status: 0 }))], {
      errors: { routes: [{ handle: [says('sorry', { status: 500 })] }] },
    });
    await request('/e');
    expect(routes()).to.deep.equal({ 'routes[0]': 1 });
    expect(stats().routes[0]?.status['5xx']).to.equal(1);
  });

  it('statistics count waiting requests as in flight, and include the waiting time in the duration', async () => {
    const { request, stats } = await started([{ handle: [says('late', { wait: 60 })] }]);
    const pending = [request('/'), request('/'), request('/')];
    expect(stats().routes[0]).to.deep.include({ in_flight: 3, requests: 0 });
    await Promise.all(pending);
    const [entry] = stats().routes;
    expect(entry).to.deep.include({ in_flight: 0, requests: 3 });
    expect(entry?.latency_ms?.p50).to.be.at.least(57);
  });

  it('statistics keep the counters of moved routes, and of edited routes with an @id', async () => {
    const kept = site('kept.test', route({ path: ['/'] }, says('kept')));
    const edited = (body: string): Json => ({ '@id': 'shop', match: [{ path: ['/shop'] }], handle: [says(body)] });
    const { request, reconciler, routes, stats } = await started([kept, edited('one')]);
    const config = (...list: Json[]): Json => ({ apps: { http: { servers: { s: { routes: list } } } } });
    for (let change = 1; change <= 50; change++) {
      await request({ host: 'kept.test', path: '/' });
      await request({ host: 'x.test', path: '/shop' });
      const others = Array.from({ length: change % 3 }, (_, i) => route({ path: [`/${change}`] }, says(`${i}`)));
      await reconciler.load(config(...others, edited(`${change}`), kept));
      await request({ host: 'x.test', path: `/${change}` });
    }
    expect(stats().routes.find(({ id }) => id === 'shop')?.requests).to.equal(50);
    expect(routes()).to.deep.include({ 'routes[3]': 50, 'routes[3].handle[0].routes[0]': 50 });
    expect(stats().servers[0]?.requests).to.equal(150);
  });

  it('statistics keep only the busiest hosts, because clients can send any host name', async () => {
    const { request, stats, store } = await started([
      site('named.test', { handle: [says('')] }),
      { handle: [says('')] },
    ]);
    for (let i = 0; i < 5; i++) await request({ host: 'busy.test' });
    for (let i = 0; i < 3000; i++) await request({ host: `h${i}.test` });
    await request({ host: 'named.test' });
    await request({ host: 'x'.repeat(1000) });
    const { hosts, total } = stats();
    const counts = new Map(hosts.map(({ host, requests }) => [host, requests]));
    expect(counts.get('busy.test')).to.equal(5);
    expect(counts.get('named.test')).to.equal(1);
    expect(counts.get('')).to.be.greaterThan(2700);
    expect(hosts.length).to.be.at.most(260);
    expect([...counts.values()].reduce((sum, each) => sum + each, 0)).to.equal(total.requests);
    expect(total.requests).to.equal(3007);
    expect(store.bytes).to.be.at.most(2 * 1024 * 1024);
  });

  it('statistics use memory only for routes that had requests', async function () {
    this.timeout(30_000);
    const many = Array.from({ length: 10_000 }, (_, i) => route({ path: [`/${i}`] }, says(`${i}`)));
    const { request, stats, store } = await started(many);
    await request('/1');
    await request('/9999');
    expect(store.bytes).to.equal(128 * 1024);
    expect(stats().routes).to.have.length(2);
    for (let i = 0; i < 10_000; i += 25) await request(`/${i}`);
    expect(store.bytes).to.be.at.most(2 * 1024 * 1024);
    expect(stats(10).left_out).to.deep.include({ routes: 392 });
  });

  it('statistics send a subscriber the difference since the last message', async () => {
    const { request, reader } = await started([route({ path: ['/a'] }, says('a')), { handle: [says('b')] }]);
    await request('/a');
    const reported: [string, { total: { requests: number }; routes: { path: string; requests: number }[] }][] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = reader.follow({ top: 5, lists: statsLists, server: null, under: '' }, 1, (event, text) => {
      reported.push([event, JSON.parse(text) as (typeof reported)[0][1]]);
      if (event === 'delta') resolve();
    });
    await request('/b');
    await request('/b');
    await promise;
    end();
    expect(reported.map(([event, { total }]) => [event, total.requests])).to.deep.equal([
      ['stats', 1],
      ['delta', 2],
    ]);
    expect(reported[1]?.[1].routes.map(({ path, requests }) => [path, requests])).to.deep.equal([
      ['apps.http.servers.s.routes[1]', 2],
    ]);
  });

  it('statistics contain only the requested lists', async () => {
    const { request, reader } = await started([{ handle: [says('a')] }]);
    await request('/');
    const filter = { top: 5, server: null, under: '' };
    expect(reader.whole({ ...filter, lists: ['hosts'] })).to.have.all.keys(
      ...['at', 'since', 'seconds', 'total', 'hosts', 'left_out'],
    );
    expect(reader.whole({ ...filter, lists: statsLists })).to.include.keys(statsLists);
  });

  it('statistics are sent at the interval that each client requests', async function () {
    this.timeout(10_000);
    const { request, reader } = await started([{ handle: [says('a')] }]);
    const filter = { top: 5, lists: statsLists, server: null, under: '' };
    const reported = new Map<number, number[]>([1, 2].map((seconds) => [seconds, []]));
    const { promise, resolve } = Promise.withResolvers<void>();
    const ends = [1, 2].map((seconds) =>
      reader.follow(filter, seconds, (event, text) => {
        if (event === 'delta') reported.get(seconds)?.push((JSON.parse(text) as StatsDocument).total.requests);
        if (event === 'delta' && seconds === 2) resolve();
      }),
    );
    await request('/');
    setTimeout(() => void request('/'), 1300);
    await promise;
    for (const end of ends) end();
    expect(reported.get(2)).to.deep.equal([2]);
    expect(reported.get(1)?.[0]).to.equal(1);
  });

  it('the request counts per server, host and route each add up to the total number of requests', async () => {
    const nested = [route({ path: ['/x'] }, says('x')), route({ path: ['/e'] }, says('', { status: 0 }))];
    const { request, stats } = await started([site('a.test', ...nested), site('b.test', ...nested), nested[0] as Json]);
    const asked = fc.record({
      host: fc.constantFrom('a.test', 'b.test', 'c.test', 'A.test:1', ''),
      path: fc.constantFrom('/x', '/e', '/none'),
    });
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(asked), async (list) => {
        for (const each of list) await request(each);
        sent += list.length;
        const { total, servers, routes, hosts } = stats();
        const sum = (entries: readonly { readonly requests: number }[]): number =>
          entries.reduce((all, each) => all + each.requests, 0);
        expect(total.requests).to.equal(sent);
        expect(sum(servers)).to.equal(sent);
        expect(sum(hosts)).to.equal(sent);
        for (const outer of routes) {
          const inner = routes.filter(({ path }) => path.startsWith(`${outer.path}.handle`));
          expect(outer.requests).to.equal(outer.own + inner.reduce((all, each) => all + each.own, 0));
        }
      }),
      { numRuns: 30 },
    );
  });
});
