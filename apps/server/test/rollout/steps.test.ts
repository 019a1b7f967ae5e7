import { expect } from 'chai';
import { connect } from 'node:http2';
import { once } from 'node:events';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';
import { Load } from './support.ts';

interface Rollout {
  readonly state: string;
  readonly why?: string;
  readonly stage: number;
  readonly revision?: number;
  readonly reverted_ms?: number;
  readonly steps: readonly { readonly stage: string }[];
}

const at = (path: string, body: string): object => ({ match: [{ path: [path] }], ...says(body) });
const body = (route: number): string => `/config/apps/http/servers/s/routes/${route}/handle/0/body`;

describe('gradual rollouts', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  let initial: string;

  const rollout = async (): Promise<Rollout> => JSON.parse((await server.admin('/rollout')).text) as Rollout;
  const untilState = async (state: string): Promise<Rollout> => {
    await until(async () => (await rollout()).state === state, `a rollout in state ${state}`);
    return rollout();
  };
  const start = async (path: string, plan: string, value: unknown): Promise<void> => {
    const response = await server.admin(`${path}?rollout=${encodeURIComponent(plan)}`, {
      method: 'PATCH',
      body: value,
    });
    expect(response.status, response.text).to.equal(202);
    expect(response.headers['location']).to.equal('/rollout');
  };
  const bodiesOf = async (path: string, count = 40): Promise<Record<string, number>> => {
    const seen: Record<string, number> = {};
    for (let i = 0; i < count; i++) {
      const { text } = await server.http(path, { headers: { 'X-User': String(i) } });
      seen[text] = (seen[text] ?? 0) + 1;
    }
    return seen;
  };

  before(async () => {
    sandbox = new Sandbox();
    const routes = [at('/a', 'old'), at('/b', 'kept'), says('else')];
    server = await TestServer.runWith(
      sandbox,
      (admin, http) => config(admin, http, routes, { protocols: ['h1', 'h2', 'h2c'] }),
      ['--workers', '2'],
    );
    initial = (await server.admin('/config/')).text;
  });
  afterEach(async () => {
    await server.admin('/rollout/abort', { method: 'POST' });
    const headers = { 'Content-Type': 'application/json' };
    expect((await server.admin('/load', { method: 'POST', headers, text: initial })).status).to.equal(200);
  });
  after(async () => {
    await server.stop();
    await sandbox.remove();
  });

  it('a rollout of a good change passes all stages and is applied', async () => {
    const load = new Load(server.httpPort, '/a');
    await start(body(0), '20%,60%,all;hold=1s;by=header:X-User', 'new');
    const { revision, steps } = await untilState('promoted');
    expect(steps.map(({ stage }) => stage)).to.deep.equal(['20%', '60%']);
    expect(revision).to.be.a('number');
    expect(await bodiesOf('/a', 5)).to.deep.equal({ new: 5 });
    await load.stop();
    expect([...load.statuses.keys()]).to.deep.equal([200]);
    const history = JSON.parse((await server.admin('/history')).text) as { origin: string }[];
    expect(history[0]?.origin).to.include('rolled out gradually');
    expect((await server.admin('/metrics')).text).to.include('sluice_rollouts_total{outcome="promoted"} 1');
  });

  it('a rollout applies the change to a share of HTTP/1.1 and HTTP/2 connections until an operator aborts it', async () => {
    await start(body(0), '50%,all;hold=1h', 'new');
    expect(await bodiesOf('/a')).to.have.keys('old', 'new');
    const seen = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const session = connect(`http://127.0.0.1:${server.httpPort}`);
      const texts = [];
      for (let j = 0; j < 3; j++) {
        const stream = session.request({ ':path': '/a' });
        texts.push(String(await once(stream.setEncoding('utf8'), 'data')));
      }
      expect(new Set(texts).size).to.equal(1);
      seen.add(texts[0] ?? '');
      session.close();
    }
    expect([...seen]).to.have.members(['old', 'new']);
    expect((await server.admin('/rollout/abort', { method: 'POST' })).status).to.equal(200);
    const { why, reverted_ms: reverted } = await rollout();
    expect(why).to.equal('aborted by a client');
    expect(reverted).to.be.lessThan(1000);
    expect(await bodiesOf('/a')).to.deep.equal({ old: 40 });
    expect((await server.admin(body(0))).text).to.equal('"old"\n');
  });

  it('a rollout allows other changes, but ends if a change conflicts with it', async () => {
    await start(body(0), '50%,all;hold=1h;by=header:X-User', 'new');
    const sides = await bodiesOf('/a');
    expect((await server.admin(body(1), { method: 'PATCH', body: 'changed' })).status).to.equal(200);
    expect(await bodiesOf('/b')).to.deep.equal({ changed: 40 });
    expect(await bodiesOf('/a')).to.deep.equal(sides);
    expect((await rollout()).state).to.equal('holding');
    expect((await server.admin('/config/apps/http/servers/s/routes', { method: 'PATCH', body: [] })).status).to.equal(
      200,
    );
    const { state, why } = await rollout();
    expect(state).to.equal('taken_back');
    expect(why).to.include('no longer applies');
  });

  it('a rollout opens a new listener only when the change is fully applied', async () => {
    const { httpPort } = server;
    const other = httpPort + 1;
    const path = '/config/apps/http/servers/s';
    const config = JSON.parse((await server.admin(path)).text) as { routes: object[] };
    const listen = [`127.0.0.1:${httpPort}`, `127.0.0.1:${other}`];
    await start(path, '50%,all;hold=1h', { ...config, listen, routes: [at('/a', 'new')] });
    expect(await bodiesOf('/a')).to.have.keys('old', 'new');
    const isOpen = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${other}/a`).then(
        () => true,
        () => false,
      );
    expect(await isOpen()).to.equal(false);
    expect((await server.admin('/rollout/promote', { method: 'POST' })).status).to.equal(200);
    await untilState('promoted');
    expect(await isOpen()).to.equal(true);
    expect(await bodiesOf('/a', 10)).to.deep.equal({ new: 10 });
  });

  for (const [title, path, plan, value, status, reason] of [
    ['an invalid plan', body(0), '50%', 'new', 400, 'the last stage must be all'],
    ['a plan for a fleet', body(0), 'canary:1,all', 'new', 400, 'this server is not in a fleet'],
    [
      'a change without effect on requests',
      '/config/admin/origins',
      '1%,all',
      ['http://a'],
      409,
      'does not affect requests',
    ],
    [
      'an invalid configuration',
      '/config/apps/http/servers/s/routes/0/handle/0/handler',
      '1%,all',
      'missing',
      422,
      'unknown module',
    ],
  ] as const)
    it(`a rollout does not start for ${title}`, async () => {
      const before = await rollout();
      const target = `${path}?rollout=${encodeURIComponent(plan)}`;
      const headers = { Accept: 'application/problem+json' };
      const response = await server.admin(target, {
        method: path.includes('origins') ? 'PUT' : 'PATCH',
        body: value,
        headers,
      });
      expect(response.text).to.include(reason);
      expect(response.status === status || (status === 422 && response.status >= 400)).to.equal(true);
      expect(await rollout()).to.deep.equal(before);
    });

  it('a dry run with a rollout plan does not start a rollout', async () => {
    const before = await rollout();
    const path = `${body(0)}?dry_run&rollout=${encodeURIComponent('1%,all')}`;
    const response = await server.admin(path, { method: 'PATCH', body: 'new' });
    expect(response.status).to.equal(200);
    expect(JSON.parse(response.text)).to.have.property('patch');
    expect(await rollout()).to.deep.equal(before);
  });

  it('a proposal can be approved by starting its rollout, and the report of the proposal records the rollout', async () => {
    const patch = [{ op: 'replace', path: '/apps/http/servers/s/routes/0/handle/0/body', value: 'new' }];
    expect((await server.admin('/proposals', { method: 'POST', body: { title: 'faster', patch } })).status).to.equal(
      201,
    );
    const proposal = async (): Promise<{ state: string; rollout?: Rollout; revision?: number }> =>
      JSON.parse((await server.admin('/proposals/1')).text) as { state: string };
    const approve = (): Promise<{ status: number }> =>
      server.admin(`/approvals/1?rollout=${encodeURIComponent('50%,all;hold=1h')}`, { method: 'POST' });
    expect((await approve()).status).to.equal(202);
    expect((await proposal()).state).to.equal('rolling_out');
    expect((await approve()).status).to.equal(409);
    await server.admin('/rollout/abort', { method: 'POST' });
    expect(await proposal()).to.have.nested.include({ state: 'open', 'rollout.state': 'taken_back' });
    expect((await approve()).status).to.equal(202);
    await server.admin('/rollout/promote', { method: 'POST' });
    expect(await proposal()).to.have.nested.include({ state: 'applied', 'rollout.state': 'promoted' });
    expect(await bodiesOf('/a', 5)).to.deep.equal({ new: 5 });
    const page = (await server.admin('/proposals/1/report?format=html')).text;
    expect(page).to.include('Plan <code>50%,all;hold=3600s</code>: completed');
  });
});
