import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { register, shareDebug } from '@sluice/telemetry';
import { Registry, type Token } from '@sluice/registry';
import { silentLogger } from '@sluice/base';
import { adminApi, type AdminApi } from '@sluice/testing';
import { attachWorker } from '../linked-threads.ts';

describe('admin API debug routes', () => {
  let reconciler: Reconciler;
  let api: AdminApi;
  let bus: ControlBus;
  beforeEach(async () => {
    bus = new ControlBus(silentLogger);
    shareDebug(bus);
    const registry = new Registry().use(register);
    const services = new Map<Token<unknown>, unknown>([[threadBusToken, bus]]);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger, services });
    reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    api = await adminApi(reconciler);
  });
  afterEach(async () => {
    await api.close();
    await reconciler.close();
  });

  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await api.request(path, { method })).status;

  it('GET /debug/vars returns event loop and heap statistics', async () => {
    const { threads } = (await api.request('/debug/vars')).json() as {
      threads: Record<string, Record<string, number>>[];
    };
    const [thread] = threads;
    expect(thread).to.have.property('thread', 0);
    expect(thread?.['event_loop']?.['utilization']).to.be.within(0, 1);
    expect(thread?.['heap']?.['used_heap_size']).to.be.above(0);
  });

  it('the debug profile route returns a V8 profile, and runs one profile at a time', async () => {
    const begun = performance.now();
    const both = [1, 2].map(() => api.request('/debug/pprof/profile?seconds=1'));
    const [first, second] = (await Promise.all(both)).toSorted((a, b) => a.status - b.status);
    expect(second?.status).to.equal(429);
    const profile = first?.json() as { startTime: number; endTime: number };
    expect(profile).to.include.keys('nodes', 'samples', 'startTime', 'endTime');
    expect((profile.endTime - profile.startTime) / 1e6).to.be.within(0.9, (performance.now() - begun) / 1000);
    expect(first?.headers).to.include({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="thread-0.cpuprofile"',
    });
  });

  it('the debug heap route returns a V8 heap snapshot, and deletes its file @long', async function () {
    this.timeout(30_000);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-debug-'));
    const original = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    const { text, headers } = await api.request('/debug/pprof/heap').finally(() => {
      if (original === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = original;
    });
    expect(readdirSync(folder)).to.deep.equal([]);
    rmSync(folder, { recursive: true });
    expect(headers['content-disposition']).to.contain('thread-0.heapsnapshot');
    expect(text.slice(0, 20)).to.match(/^\{"snapshot":/);
    expect(text.length).to.be.above(100_000);
  });

  it('requests for unknown paths below /debug return an overview page', async () => {
    const { headers, text } = await api.request('/debug/pprof/');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.include('href="profile?').and.include('href="heap?').and.include('href="../vars"');
    expect((await api.request('/debug/pprof/goroutine')).text).to.equal(text);
  });

  it('GET /debug/vars lists all threads by number', async () => {
    for (const thread of [3, 1, 2]) shareDebug(attachWorker(bus, thread).bus);
    const { threads } = (await api.request('/debug/vars')).json() as { threads: { thread: number }[] };
    expect(threads.map(({ thread }) => thread)).to.deep.equal([0, 1, 2, 3]);
  });

  it('GET /debug/vars measures the event loop in milliseconds', async () => {
    const asked = api.request('/debug/vars');
    await sleep(50);
    const until = performance.now() + 150;
    while (performance.now() < until);
    const { threads } = (await asked).json() as { threads: { event_loop: Record<string, number> }[] };
    const [thread] = threads;
    // The delay is longer on a busy machine. If the value were in nanoseconds, it would be a million times larger.
    expect(thread?.event_loop['delay_max']).to.be.within(100, 1e5);
    expect(thread?.event_loop['delay_p99']).to.be.within(100, 1e5);
    expect(thread?.event_loop['delay_mean']).to.be.within(5, 1e5);
    expect(thread?.event_loop['utilization']).to.be.within(0.01, 1);
  });

  it('debug routes fail with 404 if the server does not expose thread statistics', async () => {
    const { registry } = reconciler;
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const bare = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    const bareApi = await adminApi(bare);
    for (const path of ['/debug/vars', '/debug/pprof/heap', '/metrics'])
      expect((await bareApi.request(path)).status, path).to.equal(404);
    await bareApi.close();
    await bare.close();
  });

  const refused: [method: string, path: string, status: number][] = [
    ['GET', '/debug/pprof/profile?seconds=0', 400],
    ['GET', '/debug/pprof/profile?seconds=61', 400],
    ['GET', '/debug/pprof/profile?seconds=x', 400],
    ['GET', '/debug/pprof/profile?seconds=x&seconds=1', 400],
    ['GET', '/debug/pprof/profile?seconds=', 400],
    ['GET', '/debug/pprof/profile?seconds=1.5', 400],
    ['GET', '/debug/pprof/profile?seconds=1&thread=9', 404],
    ['GET', '/debug/pprof/profile?seconds=60&thread=9', 404],
    ['GET', '/debug/pprof/profile?thread=9', 404],
    ['GET', '/debug/pprof/heap?thread=1024', 404],
    ['GET', '/debug/pprof/heap?thread=1025', 400],
    ['GET', '/debug/pprof/heap?thread=-1', 400],
    ['GET', '/debug/pprof/heap?thread=7', 404],
    ['POST', '/debug/pprof/heap', 405],
    ['HEAD', '/debug/vars', 405],
    ['GET', '/debug/nothing', 404],
  ];
  for (const [method, path, status] of refused) {
    it(`the debug route ${method} ${path} fails with ${status}`, async () => {
      expect(await statusOf(path, method)).to.equal(status);
    });
  }
});
