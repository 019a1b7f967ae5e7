import { get } from 'node:http';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { says, TestServer } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

const crash = fileURLToPath(new URL('../fixtures/crash', import.meta.url));

interface Step {
  readonly path: string;
  readonly module: string;
  readonly depth: number;
  readonly duration_ms: number;
  readonly own_ms: number;
  readonly verdict: boolean;
}
interface Trace {
  readonly id: string;
  readonly thread: number;
  readonly route: string;
  readonly route_id: string | null;
  readonly upstream: string | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly traceparent: Readonly<Record<string, unknown>> | null;
  readonly request: Readonly<Record<string, unknown>> & { readonly headers: Readonly<Record<string, string[]>> };
  readonly response: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
interface Recorded {
  readonly recordings: readonly { readonly id: string; readonly state: string; readonly recorded: number }[];
  readonly traces: readonly Trace[];
}

const route = (path: string, ...handle: object[]): object => ({ match: [{ path: [path] }], handle, terminal: true });

describe('admin API route /traces', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;
  before(async () => {
    sandbox = new Sandbox();
    const inner = { match: [{ path: ['/in/x'] }], handle: [{ handler: 'static_response', body: 'inner' }] };
    const passing = { handle: [{ handler: 'vars', a: '1' }] };
    const respond = { handler: 'static_response', body: 'through' };
    const routes = [
      { '@id': 'in', ...route('/in/*', { handler: 'vars', a: '1' }, { handler: 'subroute', routes: [inner] }) },
      route('/e', { handler: 'error', status_code: 503, error: 'https://u:hunter2@x.test/?token=hunter3' }),
      route('/exit', { handler: 'crash', how: 'exit' }),
      { '@id': 'quiet', ...route('/quiet') },
      { '@id': 'through', ...route('/through', { handler: 'subroute', routes: [passing] }, respond) },
      says('well'),
    ];
    server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', crash]);
  });
  afterEach(() => server.admin('/traces', { method: 'DELETE' }));
  after(() => sandbox.remove());

  async function record(match: object): Promise<string> {
    const { status, text } = await server.admin('/traces', { method: 'POST', body: match });
    expect(status, text).to.equal(200);
    return (JSON.parse(text) as { id: string }).id;
  }

  async function recorded(query = ''): Promise<Recorded> {
    return JSON.parse((await server.admin(`/traces?follow=false${query}`)).text) as Recorded;
  }

  /** Waits until the given number of traces have been recorded. Requests are repeated, because threads start recording after a short delay. */
  async function traces(count: number, send: () => Promise<unknown>): Promise<readonly Trace[]> {
    let found: readonly Trace[] = [];
    await until(async () => {
      await send();
      ({ traces: found } = await recorded());
      return found.length >= count;
    }, `${count} traces`);
    return found;
  }

  it('traces contain the handlers of a request and their durations, from all threads', async () => {
    await record({ path: '/in/*', count: 30 });
    const found = await traces(30, () => server.http('/in/x?a=1'));
    expect(new Set(found.map(({ thread }) => thread)).size).to.equal(2);
    for (const { steps, route: at, route_id: id, duration_ms: whole, request, response } of found) {
      expect([at, id]).to.deep.equal(['apps.http.servers.s.routes[0].handle[1].routes[0]', null]);
      expect(request).to.deep.include({
        method: 'GET',
        path: '/in/x',
        query: 'a=1',
        host: `127.0.0.1:${server.httpPort}`,
      });
      expect(response).to.deep.include({ status: 200, bytes: 5 });
      expect(steps.map(({ path, module, depth, verdict }) => [path, module, depth, verdict])).to.deep.equal([
        ['apps.http.servers.s.routes[0].match[0].path', 'http.matchers.path', 0, true],
        ['apps.http.servers.s.routes[0].handle[0]', 'http.handlers.vars', 0, true],
        ['apps.http.servers.s.routes[0].handle[1]', 'http.handlers.subroute', 1, false],
        ['apps.http.servers.s.routes[0].handle[1].routes[0].match[0].path', 'http.matchers.path', 2, true],
        ['apps.http.servers.s.routes[0].handle[1].routes[0].handle[0]', 'http.handlers.static_response', 2, false],
      ]);
      const own = steps.reduce((sum, step) => sum + step.own_ms, 0);
      expect(own).to.be.at.most(whole + 0.01);
    }
    const { recordings } = await recorded();
    expect(recordings).to.have.length(1);
    expect(recordings[0]).to.deep.include({ state: 'over', recorded: 30 });
  });

  it('traces contain matchers and the route, even if there are no handlers', async () => {
    await record({ path: '/quiet', count: 1 });
    const [trace] = await traces(1, () => server.http('/quiet'));
    expect([trace?.route, trace?.route_id]).to.deep.equal(['apps.http.servers.s.routes[3]', 'quiet']);
    expect(trace?.steps.map(({ path, verdict }) => [path, verdict])).to.deep.include([
      'apps.http.servers.s.routes[3].match[0].path',
      true,
    ]);
  });

  it('traces name the route that ended the request, not nested routes that passed the request on', async () => {
    await record({ path: '/through', count: 1 });
    const [trace] = await traces(1, () => server.http('/through'));
    expect([trace?.route, trace?.route_id]).to.deep.equal(['apps.http.servers.s.routes[4]', 'through']);
  });

  it('traces contain only matching requests', async () => {
    await record({ path: ['/e', '/none'], method: 'GET', status: '5xx', header: { 'X-Debug': '*' } });
    const [trace] = await traces(1, async () => {
      await server.http('/e');
      await server.http('/in/x', { headers: { 'X-Debug': '1' } });
      await server.http('/none', { headers: { 'X-Debug': '1' } });
      await server.http('/e', { headers: { 'X-Debug': '1' } });
    });
    const { traces: all } = await recorded();
    expect(new Set(all.map(({ response }) => response['status']))).to.deep.equal(new Set([503]));
    expect(trace?.request.headers['x-debug']).to.deep.equal(['1']);
  });

  it('traces and stats contain no secrets', async () => {
    const secrets = Array.from({ length: 20 }, (_, i) => `planted${i}secret`);
    const [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = secrets;
    await record({});
    const ask = (): Promise<unknown> =>
      server.http(`/e?token=${a}&api_key=${b}&%70assword=${c}&session=${d}&sig=${e}&Access_Token=${f}&code=${g}`, {
        headers: {
          Authorization: `Bearer ${h}`,
          'Proxy-Authorization': `Basic ${i}`,
          Cookie: `sid=${j}; b=${k}`,
          'X-Api-Key': `${l}`,
          'X-Amz-Security-Token': `${m}`,
          'X-Auth-Token': `${n}`,
          Referer: `https://user:${o}@x.test/a?secret=${p}#access_token=${q}`,
          'X-Csrf-Token': `${r}`,
          'X-Session-Id': `${s}`,
          'X-Client-Secret': `${t}`,
        },
      });
    await traces(2, ask);
    const said = [(await server.admin('/traces?follow=false')).text, (await server.admin('/stats?top=1000')).text].join(
      '\n',
    );
    for (const secret of [...secrets, 'hunter2', 'hunter3']) expect(said).not.to.contain(secret);
    expect(said).to.contain('REDACTED');
  });

  it('trace recording continues across configuration changes and worker crashes, and stops when the recording is deleted', async () => {
    const id = await record({ path: '/new', count: 1000 });
    await server.admin('/config/apps/http/servers/s/routes/0', {
      method: 'PUT',
      body: route('/new', { handler: 'static_response', body: 'new' }),
    });
    await traces(4, () => server.http('/new'));
    await server.http('/exit').catch(() => null);
    await server.logged('new worker is serving');
    const before = (await recorded()).traces.length;
    const after = await traces(before + 30, () => server.http('/new'));
    expect(new Set(after.slice(before).map(({ thread }) => thread)).size).to.equal(2);
    expect((await server.admin(`/traces?id=${id}`, { method: 'DELETE' })).text).to.equal('{"ended":1}\n');
    await server.http('/new');
    expect(await recorded()).to.deep.equal({ recordings: [], traces: [] });
    expect((await server.admin('/config/apps/http/servers/s/routes/0', { method: 'DELETE' })).status).to.equal(200);
  });

  it('traces are streamed as events while they are recorded', async () => {
    await record({ path: '/in/*', count: 3 });
    const request = get({ port: server.adminPort, path: '/traces' });
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    response.on('data', (chunk) => (text += String(chunk)));
    await traces(3, () => server.http('/in/x'));
    await until(() => text.includes('"state":"over"'), 'the end of the recording');
    request.destroy();
    expect([...text.matchAll(/^event: (\w+)/gm)].map(([, event]) => event)).to.deep.equal([
      'recording',
      'trace',
      'trace',
      'trace',
      'recording',
    ]);
  });

  it('traces continue the trace context of the client', async () => {
    await record({ path: '/in/*' });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const [trace] = await traces(1, () => server.http('/in/x', { headers: { traceparent } }));
    expect(trace?.traceparent).to.deep.equal({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      parent_id: 'b7ad6b7169203331',
      span_id: null,
      sampled: true,
    });
  });

  for (const [body, words] of [
    [{ sample: 2 }, 'sample: must be greater than 0'],
    [{ count: 0 }, 'count: must be an integer from 1 to 1000'],
    [{ seconds: 601 }, 'seconds: must be an integer from 1 to 600'],
    [{ status: '5x' }, 'status: must be a status'],
    [{ path: 'x'.repeat(300) }, 'path: must be a string of at most 200'],
    [{ nope: 1 }, 'nope: is unknown'],
    [[], 'body: must be an object'],
  ] as const)
    it(`POST /traces rejects ${JSON.stringify(body).slice(0, 30)}`, async () => {
      const { status, text } = await server.admin('/traces', { method: 'POST', body });
      expect(status).to.equal(400);
      expect(text).to.contain(words);
    });

  it('the server runs at most four trace recordings at the same time', async () => {
    for (let i = 0; i < 4; i++) await record({});
    const { status, text } = await server.admin('/traces', { method: 'POST', body: {} });
    expect([status, text.includes('4 recordings are already running')]).to.deep.equal([409, true]);
    expect((await server.admin('/traces', { method: 'DELETE' })).text).to.equal('{"ended":4}\n');
  });

  it('traces can be converted to test cases, and these test cases pass', async () => {
    await record({ path: ['/in/*', '/e', '/x'] });
    await traces(3, async () => {
      for (const path of ['/in/x?token=hunter2', '/e', '/x']) await server.http(path);
    });
    const { stdout, code } = await sandbox.run([
      'explain',
      '--last',
      '3',
      '--as-test',
      '--address',
      `127.0.0.1:${server.adminPort}`,
    ]);
    expect(code).to.equal(0);
    expect(stdout).to.not.include('hunter');
    const file = await sandbox.write('made/made.sluice-test.json5', stdout);
    await sandbox.write('made/sluice.json', (await server.admin('/config/')).text);
    const played = await sandbox.run(['test', file, '--module', crash]);
    expect(played.stdout + played.stderr).to.match(/^3 cases: 3 passed/);
  });
});
