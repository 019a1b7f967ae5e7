import { expect } from 'chai';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, TestServer, type TestResponse } from '../support/server.ts';

/** An upstream that responds only when the test triggers it. */
interface HoldingUpstream {
  readonly server: Server;
  readonly dial: string;
  readonly held: ServerResponse[];
  /** Responds to all pending requests. */
  respond(status: number): void;
}

async function holdingUpstream(): Promise<HoldingUpstream> {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const respond = (status: number): void => {
    for (const response of held.splice(0)) response.writeHead(status).end('held');
  };
  return { server, dial: `127.0.0.1:${port}`, held, respond };
}

interface Entry {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
}

describe('upstreams with two workers', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let shared: TestServer;
  let upstream: HoldingUpstream;

  before(async () => {
    sandbox = new Sandbox();
    shared = await TestServer.run(sandbox, [], ['--workers', '2']);
  });
  beforeEach(async () => {
    upstream = await holdingUpstream();
  });

  afterEach(() => {
    upstream.server.closeAllConnections();
    upstream.server.close();
  });
  after(() => sandbox.remove());

  /** Loads a configuration with one proxy into the server of all tests. */
  async function start(options: object): Promise<TestServer> {
    const body = config(shared.adminPort, shared.httpPort, [{ handle: [{ handler: 'reverse_proxy', ...options }] }]);
    const { status, text } = await shared.admin('/load', { method: 'POST', body });
    expect(status, text).to.equal(200);
    return shared;
  }

  async function entries(server: TestServer): Promise<Entry[]> {
    return JSON.parse((await server.admin('/reverse_proxy/upstreams')).text) as Entry[];
  }

  /** Sends requests on separate connections so that both workers receive some. */
  function requests(server: TestServer, count: number): Promise<TestResponse>[] {
    return Array.from({ length: count }, () => server.http('/'));
  }

  it('max_requests limits the requests in flight across all workers', async () => {
    const server = await start({ upstreams: [{ dial: upstream.dial, max_requests: 10 }] });
    const responses = requests(server, 40);
    await until(() => upstream.held.length === 10, 'ten requests');
    expect(await entries(server)).to.deep.equal([{ address: upstream.dial, num_requests: 10, fails: 0 }]);
    const refused = (await Promise.all(responses.map((respond) => Promise.race([respond, later()])))).filter(
      (respond) => respond?.status === 503,
    );
    expect(refused).to.have.lengthOf(30);
    expect(upstream.held).to.have.lengthOf(10);
    upstream.respond(200);
    await Promise.all(responses);
    expect(await entries(server)).to.deep.equal([{ address: upstream.dial, num_requests: 0, fails: 0 }]);
  });

  it('upstream failures are counted across workers, survive a configuration change, and expire', async () => {
    const passive = { fail_duration: '1500ms', max_fails: 100, unhealthy_status: [500] };
    const server = await start({ upstreams: [{ dial: upstream.dial }], health_checks: { passive } });
    const responses = requests(server, 24);
    await until(() => upstream.held.length === 24, 'all requests');
    upstream.respond(500);
    await Promise.all(responses);
    expect((await entries(server))[0]).to.include({ num_requests: 0, fails: 24 });
    const route = { match: [{ path: ['/none'] }], handle: [{ handler: 'static_response' }] };
    const path = '/config/apps/http/servers/s/routes';
    expect((await server.admin(path, { method: 'POST', body: route })).status).to.equal(200);
    expect((await entries(server))[0]).to.include({ fails: 24 });
    await until(async () => (await entries(server))[0]?.fails === 0, 'the end of fail_duration');
  });

  it('the upstream state includes failures of both workers', async () => {
    upstream.server.on('request', (_request, response) => void response.destroy());
    const server = await start({ upstreams: [{ dial: upstream.dial }] });
    const states = async (): Promise<unknown> => {
      const { text } = await server.admin('/reverse_proxy/upstreams?detail');
      return (JSON.parse(text) as { state: string; reason: string }[]).map(({ state, reason }) => [state, reason]);
    };
    expect(await states()).to.deep.equal([['unknown', 'no health checks are configured']]);
    const statuses = (await Promise.all(requests(server, 20))).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([502]));
    const [[state, reason]] = (await states()) as [[string, string]];
    expect(state).to.equal('degraded');
    // Concurrent threads may lose a failure count.
    expect(reason).to.match(/^(?:1\d|20) requests failed; last: the upstream closed the connection$/);
    const explained = await server.admin('/explain', {
      method: 'POST',
      body: { url: `http://127.0.0.1:${server.httpPort}/` },
    });
    expect(explained.text).to.include('"state":"degraded"');
  });

  it('GET /reverse_proxy/upstreams lists upstreams that workers have discovered, and these upstreams can be drained', async () => {
    const [, port = ''] = upstream.dial.split(':');
    const server = await start({
      dynamic_upstreams: { source: 'a', name: 'localhost', port, versions: { ipv4: true, ipv6: false } },
    });
    expect(await entries(server)).to.deep.equal([]);
    const responses = requests(server, 12);
    await until(() => upstream.held.length === 12, 'all requests');
    expect(await entries(server)).to.deep.equal([{ address: upstream.dial, num_requests: 12, fails: 0 }]);
    const detail = JSON.parse((await server.admin('/reverse_proxy/upstreams?detail')).text) as { proxies: unknown }[];
    expect(detail[0]?.proxies).to.have.lengthOf(1);
    const path = `/reverse_proxy/upstreams/${encodeURIComponent(upstream.dial)}/drain`;
    expect((await server.admin(path, { method: 'POST' })).status).to.equal(200);
    upstream.respond(200);
    await Promise.all(responses);
    const refused = await Promise.all(requests(server, 12));
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([503]));
  });

  it('draining an upstream applies to all workers', async () => {
    const other = await holdingUpstream();
    other.server.on('request', (_request, response) => response.end('other'));
    const server = await start({ upstreams: [{ dial: upstream.dial }, { dial: other.dial }] });
    const path = `/reverse_proxy/upstreams/${encodeURIComponent(upstream.dial)}/drain`;
    expect((await server.admin(path, { method: 'POST' })).status).to.equal(200);
    const responses = await Promise.all(requests(server, 30));
    expect(responses.map(({ text }) => text)).to.deep.equal(Array.from({ length: 30 }, () => 'other'));
    expect(upstream.held).to.have.lengthOf(0);
    expect((await server.admin(path)).status).to.equal(405);
    expect((await server.admin('/reverse_proxy/upstreams/none/drain', { method: 'POST' })).status).to.equal(404);
    other.server.closeAllConnections();
    other.server.close();
  });

  it('an upstream with errors is ejected in all workers, and the control thread returns it to rotation', async () => {
    const failing = { status: 500, count: 0 };
    const other = createServer((_request, response) => {
      failing.count++;
      response.writeHead(failing.status).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    upstream.server.removeAllListeners('request').on('request', (_request, response: ServerResponse) => response.end());
    const sources = [upstream.server, other].map((each) => ({
      source: 'a',
      name: '127.0.0.1',
      port: String((each.address() as AddressInfo).port),
    }));
    const server = await start({
      dynamic_upstreams: { source: 'multi', sources },
      load_balancing: { selection_policy: { policy: 'round_robin' }, slow_start: '1ms' },
      health_checks: {
        outlier_detection: { consecutive_errors: 3, base_ejection_time: '1500ms', max_ejection_percent: 50 },
      },
    });
    for (let i = 0; i < 10; i++) await server.http('/');
    expect(failing.count).to.equal(3);
    failing.status = 200;
    await until(
      () => server.log.some(({ msg }) => String(msg).includes('in rotation again')),
      'the return of the upstream',
    );
    expect(server.log.filter(({ msg }) => msg === 'upstream is ejected')).to.have.length(1);
    for (let i = 0; i < 10; i++) await server.http('/');
    expect(failing.count).to.be.greaterThan(3);
    other.closeAllConnections();
    other.close();
  });
});

function later(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1000, null);
  });
}
