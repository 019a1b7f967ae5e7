import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { collectProcess, collectThread, Metrics } from '@sluice/telemetry';

/** Returns the value of each metric that has a single series, by metric name. */
function valuesOf(metrics: Metrics): ReadonlyMap<string, number> {
  return new Map(metrics.snapshot().map(({ name, series }) => [name, series[0]?.value ?? Number.NaN]));
}

describe('collectProcess', () => {
  const metrics = new Metrics();
  collectProcess(metrics);
  const value = (name: string): number => valuesOf(metrics).get(`process_${name}`) ?? Number.NaN;

  it('collectProcess reports the start time and the Node version', () => {
    expect(value('start_time_seconds')).to.be.closeTo(performance.timeOrigin / 1000, 2);
    const version = metrics.snapshot().find(({ name }) => name === 'nodejs_version_info');
    expect(version?.labelNames).to.deep.equal(['version']);
    expect(version?.series).to.deep.equal([{ labels: [process.version], value: 1, count: 0, buckets: [] }]);
  });

  it('collectProcess reports an increasing CPU time', () => {
    const before = process.cpuUsage();
    const actual = value('cpu_seconds_total');
    const after = process.cpuUsage();
    expect(actual).to.be.within((before.user + before.system) / 1e6, (after.user + after.system) / 1e6);
    expect(metrics.snapshot().find(({ name }) => name === 'process_cpu_seconds_total')?.type).to.equal('counter');
  });

  it('collectProcess reports memory', () => {
    const rss = process.memoryUsage.rss();
    expect(value('resident_memory_bytes')).to.be.within(rss / 2, rss * 2);
  });

  describe('collectProcess with /proc', () => {
    before(function () {
      if (process.platform !== 'linux') this.skip();
    });

    /** Resource limits as reported by Node. */
    const limits = process.report.getReport() as {
      readonly userLimits?: Record<'open_files' | 'virtual_memory_bytes', { readonly soft: number | 'unlimited' }>;
    };

    it('collectProcess reports the limits of open files and memory', () => {
      const numberOf = (soft: number | string | undefined): number => (soft === 'unlimited' ? 2 ** 64 : Number(soft));
      expect(value('max_fds')).to.equal(numberOf(limits.userLimits?.open_files.soft));
      expect(value('virtual_memory_max_bytes')).to.equal(numberOf(limits.userLimits?.virtual_memory_bytes.soft));
    });

    it('collectProcess reports virtual memory, which exceeds resident memory', () => {
      expect(value('virtual_memory_bytes')).to.be.within(process.memoryUsage.rss(), 2 ** 50);
      expect(value('virtual_memory_bytes') % 4096).to.equal(0);
    });

    it('collectProcess counts open files', () => {
      const before = value('open_fds');
      const open = readdirSync('/proc/self/fd').filter((fd) => existsSync(`/proc/self/fd/${fd}`));
      expect(before).to.equal(open.length);
      const files = Array.from({ length: 10 }, () => openSync(process.execPath, 'r'));
      expect(value('open_fds')).to.equal(before + 10);
      files.forEach((file) => closeSync(file));
      expect(value('open_fds')).to.equal(before);
    });

    it('collectProcess counts network bytes', async () => {
      const before = { received: value('network_receive_bytes_total'), sent: value('network_transmit_bytes_total') };
      const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.end(Buffer.alloc(1_000_000));
      await once(socket.resume(), 'close');
      server.close();
      await once(server, 'close');
      for (const [name, was] of [
        ['network_receive_bytes_total', before.received],
        ['network_transmit_bytes_total', before.sent],
      ] as const)
        expect(value(name) - was).to.be.above(1_000_000);
    });
  });
});

describe('collectThread', () => {
  it('collectThread reports the heap and event loop of a thread by number', () => {
    const metrics = new Metrics();
    collectThread(metrics, 3);
    const values = valuesOf(metrics);
    const { heapTotal, heapUsed, external } = process.memoryUsage();
    for (const { labelNames, series } of metrics.snapshot()) {
      expect(labelNames).to.deep.equal(['thread']);
      expect(series.map(({ labels }) => labels)).to.deep.equal([['3']]);
    }
    const near = (name: string, real: number): void => {
      expect(values.get(name), name).to.be.within(real / 2, real * 2);
    };
    near('nodejs_heap_size_total_bytes', heapTotal);
    near('nodejs_heap_size_used_bytes', heapUsed);
    near('nodejs_external_memory_bytes', external);
    expect(values.get('nodejs_heap_size_limit_bytes')).to.be.above(heapTotal);
    expect(values.get('nodejs_native_contexts')).to.be.within(1, 100);
    const { active, idle } = performance.eventLoopUtilization();
    near('nodejs_eventloop_active_seconds_total', active / 1000);
    near('nodejs_eventloop_idle_seconds_total', idle / 1000);
    const types = metrics.snapshot().filter(({ type }) => type === 'counter');
    expect(types.map(({ name }) => name)).to.deep.equal([
      'nodejs_eventloop_active_seconds_total',
      'nodejs_eventloop_idle_seconds_total',
    ]);
  });
});
