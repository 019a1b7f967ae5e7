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

describe('debug routes', () => {
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

  it('give a heap snapshot of V8, and leave no file of it @long', async function () {
    this.timeout(30_000);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-debug-'));
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    const { text, headers } = await api.request('/debug/pprof/heap').finally(() => {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    });
    expect(readdirSync(folder)).to.deep.equal([]);
    rmSync(folder, { recursive: true });
    expect(headers['content-disposition']).to.contain('thread-0.heapsnapshot');
    expect(text.slice(0, 20)).to.match(/^\{"snapshot":/);
    expect(text.length).to.be.above(100_000);
  });

  it('give a page that leads to them, for whatever is not known below it', async () => {
    const { headers, text } = await api.request('/debug/pprof/');
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.include('href="profile?').and.include('href="heap?').and.include('href="../vars"');
    expect((await api.request('/debug/pprof/goroutine')).text).to.equal(text);
  });

  it('tell of all threads by their numbers', async () => {
    for (const thread of [3, 1, 2]) shareDebug(attachWorker(bus, thread).bus);
    const { threads } = (await api.request('/debug/vars')).json() as { threads: { thread: number }[] };
    expect(threads.map(({ thread }) => thread)).to.deep.equal([0, 1, 2, 3]);
  });

  it('measure the event loop that is asked, in milliseconds', async () => {
    const asked = api.request('/debug/vars');
    await sleep(50);
    const until = performance.now() + 150;
    while (performance.now() < until);
    const { threads } = (await asked).json() as { threads: { event_loop: Record<string, number> }[] };
    const [thread] = threads;
    // A busy machine makes it longer; in nanoseconds it would be a million times as much.
    expect(thread?.event_loop['delay_max']).to.be.within(100, 1e5);
    expect(thread?.event_loop['delay_p99']).to.be.within(100, 1e5);
    expect(thread?.event_loop['delay_mean']).to.be.within(5, 1e5);
    expect(thread?.event_loop['utilization']).to.be.within(0.01, 1);
  });

  it('are refused with 404 where the server tells nothing of its threads', async () => {
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
    it(`refuse ${method} ${path} with ${status}`, async () => {
      expect(await statusOf(path, method)).to.equal(status);
    });
  }
});
