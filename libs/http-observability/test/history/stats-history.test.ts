import { expect } from 'chai';
import { bucketOf, inFlightNumber, Slab, Tally, TallyStore, type TallyBlock } from '@sluice/threads';
import type { UpstreamSample } from '@sluice/http-app';
import { historyJson, stepFor } from '../../src/history/history-json.ts';
import { maxUpstreams, StatsHistory } from '../../src/history/stats-history.ts';

const second = 1000;
const step = 10 * second;
/** A whole minute. */
const start = 1_700_000_040_000;

interface HistoryDocument {
  readonly from: string;
  readonly to: string;
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
  readonly upstreams: readonly { readonly address: string; readonly downtime_seconds: number }[];
}

/** A statistics history that uses a test clock. */
class Trial {
  readonly store = new TallyStore();
  readonly tally = new Tally(
    this.store.slabsOf(0).map((memory) => new Slab(memory)),
    () => {
      const memory = this.store.grow(0);
      if (memory !== null) this.tally.extend(new Slab(memory));
    },
  );
  upstreams: readonly UpstreamSample[] = [];
  now = start;
  readonly history = new StatsHistory(
    this.store,
    { bus: null, samplers: [{ name: 'trial', sample: () => Promise.resolve(this.upstreams) }] },
    this.store.clock,
  );

  block(name: string): TallyBlock {
    const block = this.tally.acquire(name);
    if (block === null) throw new Error('there is no block left');
    return block;
  }

  /** Advances the test clock by a number of steps. */
  async pass(steps = 1): Promise<void> {
    for (let left = steps; left > 0; left--) {
      this.now += step;
      await this.history.sample(this.now, this.store.clock + (this.now - start));
    }
  }

  read(seconds: number, upstream: string | null = null, length = stepFor(seconds)): HistoryDocument {
    const query = { upstream, step: length, from: this.now - seconds * second, to: this.now };
    return historyJson(this.history, query) as HistoryDocument;
  }
}

const request = `r${'0'.repeat(48)}a.test`;

describe('stats.history', () => {
  it('StatsHistory computes rates and latencies of each step from the counters', async () => {
    const trial = new Trial();
    const block = trial.block(request);
    block.add(2, 50);
    block.add(5, 20);
    block.add(7, 4000);
    block.add(inFlightNumber, 3);
    block.observe(bucketOf(8), 70);
    await trial.pass();
    block.add(2, 10);
    await trial.pass();
    const { from, to, series } = trial.read(20);
    expect([Date.parse(from), Date.parse(to)]).to.deep.equal([start, start + 2 * step]);
    expect(series['status_2xx']).to.deep.equal([5, 1]);
    expect(series['status_5xx']).to.deep.equal([2, 0]);
    expect(series['bytes_out']).to.deep.equal([400, 0]);
    expect(series['in_flight']).to.deep.equal([3, 3]);
    expect(series['p50']?.[0]).to.be.within(7.5, 8.5);
    // The second step has no measurement, which is different from a latency of 0.
    expect(series['p99']?.[1]).to.equal(null);
  });

  it('StatsHistory contains gaps for steps without a sample', async () => {
    const trial = new Trial();
    await trial.pass();
    trial.now += 2 * step;
    await trial.pass();
    expect(trial.read(40).series['status_2xx']).to.deep.equal([0, null, null, 0]);
    // The series contain no values before the first sample.
    expect(trial.read(3600).series['status_2xx']).to.deep.equal([0, null, null, 0]);
  });

  it('StatsHistory computes latencies per minute from all requests, not as an average of percentiles', async () => {
    const trial = new Trial();
    const block = trial.block(request);
    for (let turn = 0; turn < 6; turn++) {
      block.observe(bucketOf(turn === 0 ? 1000 : 1), turn === 0 ? 1 : 100);
      await trial.pass();
    }
    const { series } = trial.read(60, null, 60);
    expect(series['p50']).to.have.length(1);
    expect(series['p50']?.[0]).to.be.below(1.1);
    expect(series['p99']?.[0]).to.be.below(1.1);
  });

  it('StatsHistory keeps an hour of short steps and a day of long steps in constant memory', async () => {
    const trial = new Trial();
    const { bytes } = trial.history;
    expect([300, 3600, 3601, 86_400].map(stepFor)).to.deep.equal([10, 10, 60, 60]);
    const block = trial.block(request);
    for (let steps = 0; steps < 400; steps++) {
      block.add(2, 10);
      await trial.pass();
    }
    const short = trial.read(86_400, null, 10).series['status_2xx'];
    expect(short).to.have.length(360);
    expect(short?.every((value) => value === 1)).to.equal(true);
    const long = trial.read(86_400).series['status_2xx'] ?? [];
    expect(long).to.deep.equal(Array(66).fill(1));
    expect(trial.history.bytes).to.equal(bytes);
  });

  it('StatsHistory records the counters and health of upstreams, and adds up their downtime', async () => {
    const trial = new Trial();
    const block = trial.block('u127.0.0.1:9');
    const upstream = { address: '127.0.0.1:9', inFlight: 2, usedBy: 2, unhealthy: 0 };
    trial.upstreams = [upstream];
    block.add(9, 20);
    block.add(6, 100);
    await trial.pass();
    trial.upstreams = [{ ...upstream, unhealthy: 1 }];
    await trial.pass();
    trial.upstreams = [{ ...upstream, unhealthy: 2 }];
    await trial.pass(2);
    const { series, upstreams } = trial.read(40, '127.0.0.1:9');
    expect(series['retries']).to.deep.equal([2, 0, 0, 0]);
    expect(series['bytes_in']).to.deep.equal([10, 0, 0, 0]);
    expect(series['unhealthy']).to.deep.equal([0, 0.5, 1, 1]);
    expect(series['down']).to.deep.equal([0, 0, 1, 1]);
    expect(series['in_flight']).to.deep.equal([2, 2, 2, 2]);
    expect(upstreams).to.deep.equal([{ address: '127.0.0.1:9', downtime_seconds: 20 }]);
    expect(trial.read(40).series['retries']).to.deep.equal([2, 0, 0, 0]);
    expect(trial.read(40).series['status_2xx']).to.deep.equal([0, 0, 0, 0]);
    expect(trial.read(40, '127.0.0.1:10')).to.equal(null);
  });

  it('StatsHistory tracks a limited number of upstreams, and replaces removed upstreams with new ones', async () => {
    const trial = new Trial();
    const named = (count: number, from = 0): UpstreamSample[] =>
      Array.from({ length: count }, (_, index) => ({
        address: `10.0.0.1:${from + index}`,
        inFlight: 0,
        usedBy: 1,
        unhealthy: 0,
      }));
    trial.upstreams = named(maxUpstreams + 10);
    await trial.pass();
    const full = trial.history.bytes;
    expect(trial.history.upstreams).to.have.length(maxUpstreams);
    trial.upstreams = named(maxUpstreams, 1000);
    await trial.pass(4);
    expect(trial.history.upstreams.map(({ address }) => address)).to.deep.equal(
      trial.upstreams.map(({ address }) => address),
    );
    expect(trial.history.bytes).to.equal(full);
    expect(full).to.be.below(10_000_000);
  });

  it('StatsHistory counts TLS handshakes per second, separately from requests', async () => {
    const trial = new Trial();
    const block = trial.block('t');
    block.add(0, 30);
    block.add(2, 10);
    await trial.pass(2);
    const { series } = trial.read(20);
    expect(series['handshakes']).to.deep.equal([3, 0]);
    expect(series['failed_handshakes']).to.deep.equal([1, 0]);
    expect(series['status_cut']).to.deep.equal([0, 0]);
  });
});
