import { fileURLToPath } from 'node:url';
import { Agent } from 'node:http';
import { expect } from 'chai';
import { says, TestServer } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

const crash = fileURLToPath(new URL('../fixtures/crash', import.meta.url));

interface Counted {
  readonly path: string;
  readonly requests: number;
  readonly in_flight: number;
  readonly status: Readonly<Record<string, number>>;
}
interface Stats {
  readonly total: Counted;
  readonly routes: readonly Counted[];
  readonly upstreams: readonly (Counted & {
    readonly address: string;
    readonly bytes_in: number;
    readonly bytes_out: number;
    readonly retries: number;
  })[];
}

const route = (path: string, ...handle: object[]): object => ({ match: [{ path: [path] }], handle });

describe('admin API route /stats', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;
  beforeEach(async () => {
    sandbox = new Sandbox();
    const routes = [
      route('/exit', { handler: 'crash', how: 'exit' }),
      route('/nope', { handler: 'static_response', status_code: 404 }),
      says('well'),
    ];
    server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', crash]);
  });
  afterEach(() => sandbox.remove());

  /** Waits until the statistics contain the given number of requests. A request is counted shortly after its response. */
  async function stats(requests: number): Promise<Stats> {
    const seen: Stats[] = [];
    await until(async () => {
      const now = JSON.parse((await server.admin('/stats')).text) as Stats;
      seen[0] = now;
      return now.total.requests >= requests && now.total.in_flight === 0;
    }, `${requests} requests`);
    return seen[0] as Stats;
  }

  /** Sends requests over several concurrent connections. */
  async function send(count: number, path: string): Promise<void> {
    const client = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let i = 0; i < count / 8; i++) await server.http(path, { agent });
      agent.destroy();
    };
    await Promise.all(Array.from({ length: 8 }, client));
  }

  it('GET /stats is exact across all workers, including killed workers and their replacements', async () => {
    await Promise.all([send(800, '/'), send(400, '/nope')]);
    const before = await stats(1200);
    expect(before.total.status).to.deep.equal({ cut: 0, '1xx': 0, '2xx': 800, '3xx': 0, '4xx': 400, '5xx': 0 });
    expect(before.total.in_flight).to.equal(0);
    for (let death = 0; death < 2; death++) {
      await server.http('/exit').catch(() => null);
      await server.logged('new worker is serving');
      await send(80, '/');
    }
    const { total, routes } = await stats(1360);
    expect(total.status).to.include({ '2xx': 960, '4xx': 400 });
    expect(total.in_flight).to.equal(0);
    expect(routes.find(({ path }) => path.endsWith('routes[2]'))?.requests).to.equal(960);
  });

  it('GET /stats continues counting during configuration changes', async () => {
    const sending = send(800, '/');
    for (let change = 0; change < 50; change++) {
      const added = route(`/${change}`, { handler: 'static_response', body: `${change}` });
      await server.admin('/config/apps/http/servers/s/routes/0', { method: 'PUT', body: added });
    }
    await sending;
    const { total, routes } = await stats(800);
    expect(total.requests).to.equal(800);
    expect(routes.map(({ path, requests }) => [path, requests])).to.deep.equal([
      ['apps.http.servers.s.routes[52]', 800],
    ]);
  });

  it('GET /stats counts upstream requests', async () => {
    const dial = `127.0.0.1:${server.httpPort}`;
    const proxy = route('/proxy', {
      handler: 'reverse_proxy',
      upstreams: [{ dial }],
      rewrite: { uri: '/nope' },
    });
    await server.admin('/config/apps/http/servers/s/routes/0', { method: 'PUT', body: proxy });
    for (let i = 0; i < 3; i++) await server.http('/proxy');
    const { upstreams, total } = await stats(6);
    expect(
      upstreams.map(({ address, requests, status, in_flight }) => [address, requests, status['4xx'], in_flight]),
    ).to.deep.equal([[dial, 3, 3, 0]]);
    expect(total.requests).to.equal(6);
  });

  it('GET /stats counts upstream bytes and retries', async () => {
    const dial = `127.0.0.1:${server.httpPort}`;
    const proxy = route('/proxy', {
      handler: 'reverse_proxy',
      upstreams: [{ dial: '127.0.0.1:1' }, { dial }],
      load_balancing: { selection_policy: { policy: 'first' }, retries: 1 },
      rewrite: { uri: '/' },
    });
    await server.admin('/config/apps/http/servers/s/routes/0', { method: 'PUT', body: proxy });
    expect((await server.http('/proxy', { method: 'PUT', body: 'sent' })).text).to.equal('well');
    const { upstreams } = await stats(2);
    const counted = upstreams.find(({ address }) => address === dial);
    expect(counted).to.include({ bytes_in: '"sent"'.length, bytes_out: 4, retries: 1, requests: 1 });
    expect(upstreams.find(({ address }) => address !== dial)).to.include({ bytes_out: 0, retries: 0 });
  });

  it('GET /stats/history records requests, TLS handshakes and connections, and lists listeners @long', async () => {
    const dial = `127.0.0.1:${server.httpPort}`;
    const proxy = route('/proxy', { handler: 'reverse_proxy', upstreams: [{ dial }], rewrite: { uri: '/' } });
    await server.admin('/config/apps/http/servers/s/routes/0', { method: 'PUT', body: proxy });
    const sending = setInterval(() => void server.http('/proxy').catch(() => undefined), 50);
    interface History {
      readonly step: number;
      readonly series: Readonly<Record<string, readonly (number | null)[]>>;
      readonly upstreams: readonly { readonly address: string }[];
    }
    const seen: Readonly<Record<string, number>>[] = [];
    const latest = async (query: string): Promise<Readonly<Record<string, number>>> => {
      const { series } = JSON.parse((await server.admin(`/stats/history?range=1m${query}`)).text) as History;
      return Object.fromEntries(Object.entries(series).map(([name, values]) => [name, values.at(-1) ?? 0]));
    };
    await until(async () => {
      const upstream: Record<string, number> = await latest(`&upstream=${encodeURIComponent(dial)}`).catch(() => ({}));
      seen[0] = await latest('');
      seen[1] = upstream;
      return (upstream['status_2xx'] ?? 0) > 10 && (upstream['connections'] ?? 0) > 0;
    }, 'a sample with requests');
    clearInterval(sending);
    const [total, upstream] = seen;
    expect(total?.['status_2xx']).to.be.within(20, 45);
    expect(total?.['connections']).to.be.above(0);
    expect(total?.['handshakes']).to.equal(0);
    expect(upstream?.['bytes_out']).to.be.within(40, 90);
    expect(upstream).to.include({ unhealthy: 0, down: 0, retries: 0 });
    const listeners = JSON.parse((await server.admin('/stats/listeners')).text) as unknown;
    expect(listeners).to.have.nested.property('[0].limits.read_header_timeout', 60_000);
    expect(listeners).to.have.nested.property('[0].listen[0]').that.contains(String(server.httpPort));
  });
});

describe('admin API route /stats: parameters and state', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;
  before(async () => {
    sandbox = new Sandbox();
    server = await TestServer.run(sandbox, [says('well')]);
  });
  after(() => sandbox.remove());

  it('GET /stats records no history while the dashboard is disabled', async () => {
    const admin = JSON.parse((await server.admin('/config/admin')).text) as object;
    await server.admin('/config/admin', { method: 'PATCH', body: { ...admin, ui: false } });
    expect((await server.admin('/stats/history')).status).to.equal(404);
    await server.admin('/config/admin', { method: 'PATCH', body: { ...admin, ui: true } });
    expect((await server.admin('/stats/history')).status).to.equal(200);
    for (const query of ['range=25h', 'range=0s', 'range=x', 'step=5s', 'since=then'])
      expect([query, (await server.admin(`/stats/history?${query}`)).status]).to.deep.equal([query, 400]);
    expect((await server.admin('/stats/history?upstream=127.0.0.1:1')).status).to.equal(404);
  });

  it('GET /stats rejects invalid parameters', async () => {
    for (const [query, words] of [
      ['top=0', 'top must be an integer from 1 to 1000'],
      ['top=x', 'top must be an integer'],
    ] as const) {
      const { status, text } = await server.admin(`/stats?${query}`);
      expect([status, text]).to.deep.equal([400, text]);
      expect(text).to.contain(words);
    }
  });
});
