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
    const first = get('/debug/pprof/profile', 'seconds=1');
    expect(await statusOf('/debug/pprof/profile', 'seconds=1')).to.equal(429);
    const { body, headers } = await first;
    expect(JSON.parse(String(body))).to.include.keys('nodes', 'samples', 'startTime', 'endTime');
    expect(headers).to.include({ 'Content-Disposition': 'attachment; filename="thread-0.cpuprofile"' });
  });

  it('give a heap snapshot of V8', async function () {
    this.timeout(30_000);
    const { body } = await get('/debug/pprof/heap', 'thread=0');
    let size = 0;
    let begin = '';
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size === 0) begin = chunk.toString('utf8', 0, 20);
      size += chunk.length;
    }
    expect(begin).to.match(/^\{"snapshot":/);
    expect(size).to.be.above(100_000);
  });

  const refused: [path: string, query: string, status: number][] = [
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
