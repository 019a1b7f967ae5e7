import { expect } from 'chai';
import { config, TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';
import { bodyOf, startOrigin, type Origin } from './origin.ts';

describe('http.handlers.cache with several workers', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let origin: Origin;
  let server: TestServer;

  beforeEach(async () => {
    sandbox = new Sandbox();
    origin = await startOrigin(50);
    const upstreams = [{ dial: `127.0.0.1:${origin.port}` }];
    const routes = [{ handle: [{ handler: 'cache' }, { handler: 'reverse_proxy', upstreams }] }];
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, routes), ['--workers', '3']);
  });

  afterEach(async () => {
    origin.close();
    await server.stop();
    await sandbox.remove();
  });

  it('workers share stored responses of any size, and coalesce concurrent requests', async () => {
    for (const path of ['/1', '/50']) {
      const before = origin.count;
      const responses = await Promise.all(Array.from({ length: 30 }, () => server.http(path)));
      for (const { status, text } of responses)
        expect([status, text]).to.deep.equal([200, bodyOf(path).toString('latin1')]);
      for (let i = 0; i < 20; i++) await server.http(path);
      expect(origin.count - before).to.be.at.most(2);
    }
  });

  it('purging a response removes it from all workers', async () => {
    for (let i = 0; i < 20; i++) await server.http('/1');
    const before = origin.count;
    const listed = JSON.parse((await server.admin('/cache/objects')).text) as { key: string }[];
    expect(listed).to.have.length(1);
    const key = encodeURIComponent(listed[0]?.key ?? '');
    expect((await server.admin(`/cache/objects?key=${key}`, { method: 'DELETE' })).text).to.contain('"purged":1');
    expect((await server.http('/1')).headers['cache-status']).to.contain('fwd=uri-miss');
    for (let i = 0; i < 20; i++) expect((await server.http('/1')).headers['cache-status']).to.contain('hit');
    expect(origin.count).to.equal(before + 1);
  });

  it('the cache exports metrics', async () => {
    for (let i = 0; i < 10; i++) await server.http('/1');
    const { text } = await server.admin('/metrics');
    expect(text).to.match(/sluice_cache_requests_total\{outcome="hit"\} 9/);
    expect(text).to.match(/sluice_cache_objects\{store="memory"\} 1/);
  });
});
