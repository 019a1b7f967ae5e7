import { expect } from 'chai';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { Engine, noThreads, Runtime } from '@sluice/engine';
import { register, shareDebug } from '@sluice/telemetry';
import { Registry, type Token } from '@sluice/registry';
import { silentLogger } from '@sluice/base';
import { adminApi, type AdminApi } from '@sluice/testing';

describe('debug routes', () => {
  let engine: Engine;
  let api: AdminApi;
  beforeEach(async () => {
    const bus = new ControlBus(silentLogger);
    shareDebug(bus);
    const registry = new Registry().use(register);
    const services = new Map<Token<unknown>, unknown>([[threadBusToken, bus]]);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger, services });
    engine = new Engine({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    api = await adminApi(engine);
  });
  afterEach(async () => {
    await api.close();
    await engine.close();
  });

  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await api.request(path, { method })).status;

  it('tell of event loops and heaps', async () => {
    const { threads } = (await api.request('/debug/vars')).json() as {
      threads: Record<string, Record<string, number>>[];
    };
    const [thread] = threads;
    expect(thread).to.have.property('thread', 0);
    expect(thread?.['event_loop']?.['utilization']).to.be.within(0, 1);
    expect(thread?.['heap']?.['used_heap_size']).to.be.above(0);
  });

  it('give a profile of V8, one at a time', async () => {
    const both = [1, 2].map(() => api.request('/debug/pprof/profile?seconds=1'));
    const [first, second] = (await Promise.all(both)).toSorted((a, b) => a.status - b.status);
    expect(second?.status).to.equal(429);
    expect(first?.json()).to.include.keys('nodes', 'samples', 'startTime', 'endTime');
    expect(first?.headers).to.include({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="thread-0.cpuprofile"',
    });
  });

  it('give a heap snapshot of V8', async function () {
    this.timeout(30_000);
    const { text, headers } = await api.request('/debug/pprof/heap?thread=0');
    expect(headers['content-disposition']).to.contain('thread-0.heapsnapshot');
    expect(text.slice(0, 20)).to.match(/^\{"snapshot":/);
    expect(text.length).to.be.above(100_000);
  });

  it('give a page that leads to them, for whatever is not known below it', async () => {
    const { headers, text } = await api.request('/debug/pprof/');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.contain('heap?thread=0');
    expect((await api.request('/debug/pprof/goroutine')).text).to.equal(text);
  });

  const refused: [method: string, path: string, status: number][] = [
    ['GET', '/debug/pprof/profile?seconds=0', 400],
    ['GET', '/debug/pprof/profile?seconds=61', 400],
    ['GET', '/debug/pprof/profile?seconds=x', 400],
    ['GET', '/debug/pprof/profile?seconds=x&seconds=1', 400],
    ['GET', '/debug/pprof/heap?thread=-1', 400],
    ['GET', '/debug/pprof/heap?thread=7', 404],
    ['POST', '/debug/pprof/heap', 405],
    ['HEAD', '/debug/vars', 405],
    ['GET', '/debug/nothing', 404],
  ];
  for (const [method, path, status] of refused) {
    it(`refuse ${method} ${path} with ${status}`, async () => {
      expect(await statusOf(path, method)).to.equal(status);
    });
  }
});
