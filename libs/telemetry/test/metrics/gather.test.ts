import { expect } from 'chai';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { Registry, type Token } from '@sluice/registry';
import { gatherMetrics, Metrics, metricsText, register, shareMetrics, type MetricsSnapshot } from '@sluice/telemetry';
import { silentLogger } from '@sluice/base';
import { adminApi } from '@sluice/testing';
import { attachWorker } from '../linked-threads.ts';

describe('gatherMetrics', () => {
  let bus: ControlBus;
  let control: Metrics;
  beforeEach(() => {
    bus = new ControlBus(silentLogger);
    control = new Metrics();
    shareMetrics(control, bus);
  });

  /** Creates a worker with separate metrics. Returns the metrics and a function that terminates the worker. */
  function worker(thread: number): { metrics: Metrics; die: () => void } {
    const { bus: own, die } = attachWorker(bus, thread);
    const metrics = new Metrics();
    shareMetrics(metrics, own);
    return { metrics, die };
  }

  const valueOf = (snapshot: MetricsSnapshot, name: string): number | undefined =>
    snapshot.find((family) => family.name === name)?.series[0]?.value;

  it('gatherMetrics adds up the metrics of all threads, including the control thread', async () => {
    for (const metrics of [control, worker(1).metrics, worker(2).metrics])
      metrics.counter('n_total', 'N.').with().add(5);
    expect(valueOf(await gatherMetrics(bus), 'n_total')).to.equal(15);
  });

  it('gatherMetrics keeps the counters of exited threads, but not their gauges', async () => {
    const first = worker(1);
    first.metrics.counter('n_total', 'N.').with().add(5);
    first.metrics.gauge('g', 'G.').with().set(7);
    control.counter('n_total', 'N.').with().add(1);
    control.gauge('g', 'G.').with().set(1);
    expect(valueOf(await gatherMetrics(bus), 'g')).to.equal(8);
    first.die();
    worker(1).metrics.counter('n_total', 'N.').with().add(10);
    for (let i = 0; i < 3; i++) {
      const metrics = await gatherMetrics(bus);
      expect([valueOf(metrics, 'n_total'), valueOf(metrics, 'g')]).to.deep.equal([16, 1]);
    }
  });

  it('GET /metrics returns the requested format', async () => {
    control.counter('n_total', 'N.').with().add(5);
    const registry = new Registry().use(register);
    const services = new Map<Token<unknown>, unknown>([[threadBusToken, bus]]);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger, services });
    const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    const api = await adminApi(reconciler);
    const plain = await api.request('/metrics');
    expect(plain.headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    expect(plain.text).to.include('# HELP n_total N.\n# TYPE n_total counter\nn_total 5\n');
    const open = await api.request('/metrics', { headers: { accept: 'application/openmetrics-text' } });
    expect(open.headers['content-type']).to.match(/^application\/openmetrics-text/);
    expect(open.text).to.match(/# EOF\n$/);
    await api.close();
    await reconciler.close();
    expect((await metricsText(bus, 'application/openmetrics-text', false)).contentType).to.match(/^text\/plain/);
  });

  it('gatherMetrics collects metrics once for concurrent requests', async () => {
    let asked = 0;
    control.onCollect(() => asked++);
    await Promise.all([gatherMetrics(bus), gatherMetrics(bus), gatherMetrics(bus)]);
    expect(asked).to.equal(1);
  });
});
