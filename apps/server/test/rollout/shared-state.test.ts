import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, TestServer, type TestResponse } from '../support/server.ts';

const side = (name: string): object => ({ handler: 'headers', response: { set: { 'X-Side': [name] } } });

describe('shared state of a gradual rollout', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  const upstreams: Server[] = [];
  afterEach(async () => {
    await server.stop();
    await sandbox.remove();
    for (const each of upstreams.splice(0)) {
      each.closeAllConnections();
      each.close();
    }
  });

  const upstream = async (respond: RequestListener): Promise<string> => {
    const listening = createServer(respond).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    upstreams.push(listening);
    return `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  };

  /** Serves a route, and rolls out another route to half of the users. */
  const rollOut = async (before: readonly object[], after: readonly object[]): Promise<void> => {
    sandbox = new Sandbox();
    const route = (handle: readonly object[], name: string): object => ({ handle: [side(name), ...handle] });
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, [route(before, 'old')]), [
      '--workers',
      '2',
    ]);
    const plan = encodeURIComponent('50%,all;hold=1h;by=header:X-User');
    const path = `/config/apps/http/servers/s/routes/0?rollout=${plan}`;
    const response = await server.admin(path, { method: 'PATCH', body: route(after, 'new') });
    expect(response.status, response.text).to.equal(202);
  };
  const ask = (user: number | string, path = '/'): Promise<TestResponse> =>
    server.http(path, { headers: { 'X-User': String(user) } });

  /** Returns users who receive the old or the new route. */
  const usersOf = async (wanted: 'old' | 'new', count: number): Promise<number[]> => {
    const found: number[] = [];
    for (let user = 0; found.length < count; user++)
      if ((await ask(user, `/side/${user}`)).headers['x-side'] === wanted) found.push(user);
    return found;
  };

  const proxy = (dial: string, more: object = {}): object => ({
    handler: 'reverse_proxy',
    upstreams: [{ dial }],
    ...more,
  });

  it('both sides of a rollout count requests toward the same rate limit', async () => {
    const handlers = (body: string): object[] => [
      { handler: 'rate_limit', rate_limits: { all: { key: 'all', window: '1h', max_events: 20 } } },
      { handler: 'static_response', body },
    ];
    await rollOut(handlers('old'), handlers('new'));
    const allowed = { old: 0, new: 0 };
    for (let user = 0; user < 60; user++) {
      const { status, text } = await ask(user);
      if (status === 200) allowed[text as 'old' | 'new']++;
      else expect(status).to.equal(429);
    }
    expect(allowed.old + allowed.new).to.equal(20);
    expect(Math.min(allowed.old, allowed.new)).to.be.greaterThan(0);
  });

  it('the cache does not serve responses of the new configuration to clients on the old configuration', async () => {
    const [right, wrong] = [
      await upstream((_, response) => response.end('right')),
      await upstream((_, response) => response.end('wrong')),
    ];
    const cached = { handler: 'cache', ttl: '1h' };
    await rollOut([cached, proxy(right)], [cached, proxy(wrong)]);
    const [user = 0] = await usersOf('new', 1);
    expect((await ask(user, '/page')).text).to.equal('wrong');
    const [again, other] = [await ask(user, '/page'), await ask((await usersOf('old', 1))[0] ?? 0, '/page')];
    expect(again.text).to.equal('wrong');
    expect(String(again.headers['cache-status'])).to.include('hit');
    expect(other.text).to.equal('right');
  });

  it('failures caused by the new configuration do not make upstreams unhealthy for clients on the old configuration', async () => {
    const dial = await upstream((_, response) => void setTimeout(() => response.end('ok'), 20));
    const checks = (more: object): object => ({
      health_checks: { passive: { fail_duration: '1h', max_fails: 3, ...more } },
    });
    await rollOut([proxy(dial, checks({}))], [proxy(dial, checks({ unhealthy_latency: '1ms' }))]);
    const statuses = new Set<number>();
    for (let user = 0; user < 60; user++) {
      const response = await ask(user);
      if (response.headers['x-side'] === 'new' || response.status === 503) statuses.add(response.status);
    }
    await sleep(100);
    expect([...statuses]).to.include(503);
    for (const user of await usersOf('old', 10)) expect((await ask(user)).status).to.equal(200);
  });
});
