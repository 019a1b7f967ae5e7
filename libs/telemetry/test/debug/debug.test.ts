import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { Engine, noThreads, Runtime } from '@sluice/engine';
import { register, shareDebug } from '@sluice/telemetry';
import { Registry, type AdminRequest, type AdminResponse, type AdminRoute, type Token } from '@sluice/registry';
import { silentLogger } from '@sluice/base';

describe('debug routes', () => {
  const routes = new Map<string, AdminRoute>();
  let engine: Engine;
  beforeEach(() => {
    const bus = new ControlBus(silentLogger);
    shareDebug(bus);
    const registry = new Registry().use(register);
    const services = new Map<Token<unknown>, unknown>([[threadBusToken, bus]]);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger, services });
    engine = new Engine({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    routes.clear();
    registry.hooks.adminRoutes.call({ add: (route) => routes.set(route.path, route) });
  });
  afterEach(() => engine.close());

  async function get(path: string, query = ''): Promise<AdminResponse> {
    const request = { method: 'GET', query: new URLSearchParams(query) } as unknown as AdminRequest;
    return (routes.get(path) as AdminRoute).handle(request, engine);
  }
  const statusOf = (path: string, query = ''): Promise<unknown> =>
    get(path, query).then(
      () => 200,
      (error: unknown) => (error as { status?: number }).status,
    );

  it('tell of event loops and heaps', async () => {
    const { json } = await get('/debug/vars');
    const [thread] = (json as { threads: Record<string, Record<string, number>>[] }).threads;
    expect(thread).to.have.property('thread', 0);
    expect(thread?.['event_loop']?.['utilization']).to.be.within(0, 1);
    expect(thread?.['heap']?.['used_heap_size']).to.be.above(0);
  });

  it('give a profile of V8, one at a time', async () => {
    const begun = performance.now();
    const first = get('/debug/pprof/profile', 'seconds=1');
    expect(await statusOf('/debug/pprof/profile', 'seconds=1')).to.equal(429);
    const { body, headers } = await first;
    const profile = JSON.parse(String(body)) as { startTime: number; endTime: number };
    expect(profile).to.include.keys('nodes', 'samples', 'startTime', 'endTime');
    expect((profile.endTime - profile.startTime) / 1e6).to.be.within(0.9, (performance.now() - begun) / 1000);
    expect(headers).to.include({ 'Content-Disposition': 'attachment; filename="thread-0.cpuprofile"' });
  });

  it('give a heap snapshot of V8, and leave no file of it', async function () {
    this.timeout(30_000);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-debug-'));
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    const { body, headers } = await get('/debug/pprof/heap').finally(() => {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    });
    expect(readdirSync(folder)).to.deep.equal([]);
    rmSync(folder, { recursive: true });
    expect(headers).to.include({ 'Content-Disposition': 'attachment; filename="thread-0.heapsnapshot"' });
    let size = 0;
    let begin = '';
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size === 0) begin = chunk.toString('utf8', 0, 20);
      size += chunk.length;
    }
    expect(begin).to.match(/^\{"snapshot":/);
    expect(size).to.be.above(100_000);
  });

  it('give an index that names the others', async () => {
    const { headers, body } = await get('/debug/pprof/');
    expect(headers).to.deep.equal({ 'Content-Type': 'text/html; charset=utf-8' });
    expect(body).to.include('href="profile?').and.include('href="heap?').and.include('href="../vars"');
  });

  it('measure the event loop that is asked, in milliseconds', async () => {
    const asked = get('/debug/vars');
    await sleep(50);
    const until = performance.now() + 150;
    while (performance.now() < until);
    const { json } = await asked;
    const [thread] = (json as { threads: { event_loop: Record<string, number> }[] }).threads;
    expect(thread?.event_loop['delay_max']).to.be.within(100, 2000);
    expect(thread?.event_loop['delay_p99']).to.be.within(100, 2000);
    expect(thread?.event_loop['delay_mean']).to.be.within(5, 200);
    expect(thread?.event_loop['utilization']).to.be.within(0.1, 1);
  });

  it('are refused with 404 where the server tells nothing of its threads', async () => {
    const bare = new Engine({
      registry: engine.registry,
      runtime: new Runtime({
        registry: engine.registry,
        roles: { control: true, traffic: true },
        log: silentLogger,
      }),
      threads: noThreads,
      store: null,
      log: silentLogger,
    });
    const header = (): undefined => undefined;
    const request = { method: 'GET', query: new URLSearchParams(), header } as unknown as AdminRequest;
    for (const path of ['/debug/vars', '/debug/pprof/heap', '/metrics']) {
      const failure: unknown = await (async () => (routes.get(path) as AdminRoute).handle(request, bare))().catch(
        (error: unknown) => error,
      );
      expect(failure, path).to.be.an('error').with.property('status', 404);
    }
    await bare.close();
  });

  const refused: [path: string, query: string, status: number][] = [
    ['/debug/pprof/profile', 'seconds=', 400],
    ['/debug/pprof/profile', 'seconds=1.5', 400],
    ['/debug/pprof/profile', 'seconds=1&thread=9', 404],
    ['/debug/pprof/profile', 'seconds=60&thread=9', 404],
    ['/debug/pprof/profile', 'thread=9', 404],
    ['/debug/pprof/heap', 'thread=1024', 404],
    ['/debug/pprof/heap', 'thread=1025', 400],
    ['/debug/pprof/profile', 'seconds=0', 400],
    ['/debug/pprof/profile', 'seconds=61', 400],
    ['/debug/pprof/profile', 'seconds=x', 400],
    ['/debug/pprof/heap', 'thread=-1', 400],
    ['/debug/pprof/heap', 'thread=7', 404],
  ];
  for (const [path, query, status] of refused) {
    it(`refuse ${path}?${query} with ${status}`, async () => {
      expect(await statusOf(path, query)).to.equal(status);
    });
  }
});
