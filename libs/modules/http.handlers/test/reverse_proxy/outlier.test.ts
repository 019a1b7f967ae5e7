import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { allocateSharedCells, SharedCells, type SharedCell } from '@sluice/threads';
import { OutlierPool, type Outlier, type OutlierRules } from '../../src/reverse_proxy/outliers/outlier.ts';
import { OutlierSweep } from '../../src/reverse_proxy/outliers/sweep.ts';

const defaults: OutlierRules = {
  consecutiveErrors: 5,
  interval: 10_000,
  baseEjectionTime: 30_000,
  maxEjectionTime: 100_000,
  maxEjectionPercent: 50,
  stdevFactor: 1.9,
  minRequests: 10,
  minUpstreams: 5,
};

/** An upstream pool in two traffic threads and the control thread, with a simulated clock. */
class Scene {
  now = 1_000_000;
  readonly reported: string[] = [];
  readonly #addresses: readonly string[];
  readonly #rules: OutlierRules;
  readonly #threads: readonly SharedCells[];
  readonly first: OutlierPool;
  readonly second: OutlierPool;
  readonly #control: OutlierPool;
  #sweep: OutlierSweep;

  constructor(count: number, rules: Partial<OutlierRules> = {}) {
    const memory = allocateSharedCells({ capacity: 64, threads: 3 });
    this.#threads = [0, 1, 2].map((thread) => new SharedCells(memory, thread));
    this.#addresses = Array.from({ length: count }, (_, i) => `u${i}`);
    this.#rules = { ...defaults, ...rules };
    [this.first, this.second, this.#control] = this.#threads.map((cells) => this.#pool(cells)) as [
      OutlierPool,
      OutlierPool,
      OutlierPool,
    ];
    this.#sweep = this.#sweeping();
  }

  #pool(cells: SharedCells): OutlierPool {
    const pool = new OutlierPool(this.#rules, () => this.now);
    for (const address of this.#addresses) pool.member(address, () => cells.acquire(`outlier ${address}`));
    return pool;
  }

  #sweeping(): OutlierSweep {
    const listener = (address: string, healthy: boolean): void =>
      void this.reported.push(`${address} ${healthy ? 'healthy' : 'unhealthy'}`);
    return new OutlierSweep(this.#control, { log: silentLogger, counter: null, listener });
  }

  /** Replaces the control thread's state, as a configuration change does. */
  reload(): void {
    this.#sweep.stop();
    this.#sweep = this.#sweeping();
  }

  cell(address: string): SharedCell {
    return this.#threads[0]!.acquire(`outlier ${address}`);
  }

  of(address: string, pool: OutlierPool = this.first): Outlier {
    return pool.member(address, () => expect.fail('not a member'));
  }

  respond(address: string, results: string, pool: OutlierPool = this.first): void {
    for (const result of results) this.of(address, pool).record(result === 'x');
  }

  /** Advances the clock in steps of one second and runs the timer in each step. */
  pass(seconds: number): void {
    for (let i = 0; i < seconds; i++) {
      this.now += 1000;
      this.#sweep.run();
    }
  }

  get ejected(): string[] {
    return this.#addresses.filter((address) => this.of(address, this.second).isEjected);
  }

  /** Reports consecutive errors until an upstream is ejected. Returns the ejection time in milliseconds. */
  eject(address: string): number {
    this.respond(address, 'xxxxx');
    const { ejection } = this.of(address);
    expect(ejection, `ejection of ${address}`).not.to.equal(null);
    return ejection!.until - ejection!.since;
  }
}

describe('outlier detection', () => {
  it('outlier detection ejects an upstream after consecutive errors, which are counted across all threads', () => {
    const scene = new Scene(2);
    scene.respond('u0', 'xxxx.xxxx');
    scene.respond('u1', 'x.x.x.x.x.x.');
    expect(scene.ejected).to.deep.equal([]);
    scene.respond('u0', 'x', scene.second);
    expect(scene.ejected).to.deep.equal(['u0']);
    expect(scene.of('u0').ejection).to.deep.equal({
      since: 1_000_000,
      until: 1_030_000,
      reason: '5 consecutive errors',
    });
    scene.pass(29);
    expect(scene.ejected).to.deep.equal(['u0']);
    scene.pass(1);
    expect(scene.ejected).to.deep.equal([]);
    expect(scene.of('u0').restoredAt).to.equal(1_030_000);
    expect(scene.reported).to.deep.equal(['u0 unhealthy', 'u0 healthy']);
    scene.respond('u0', 'xxxx');
    expect(scene.ejected).to.deep.equal([]);
  });

  it('outlier detection lengthens repeated ejections up to the maximum, and shortens ejections again after intervals without an ejection', () => {
    const scene = new Scene(2);
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      times.push(scene.eject('u0') / 1000);
      while (scene.ejected.length > 0) scene.pass(1);
    }
    expect(times).to.deep.equal([30, 60, 90, 100, 100]);
    scene.pass(35);
    const shorter = scene.eject('u0') / 1000;
    expect(shorter).to.be.lessThan(100).and.greaterThan(30);
    while (scene.ejected.length > 0) scene.pass(1);
    scene.pass(100);
    expect(scene.eject('u0') / 1000).to.equal(30);
  });

  for (const [count, percent, expected] of [
    [1, 100, 0],
    [2, 10, 1],
    [3, 100, 2],
    [4, 0, 0],
    [4, 50, 2],
    [10, 39, 3],
  ] as const)
    it(`outlier detection ejects at most ${expected} of ${count} upstreams with max_ejection_percent ${percent}`, () => {
      const scene = new Scene(count, { maxEjectionPercent: percent });
      for (let i = 0; i < count; i++) scene.respond(`u${i}`, 'xxxxxxx', i % 2 === 0 ? scene.first : scene.second);
      expect(scene.ejected).to.have.length(expected);
    });

  it('outlier detection counts an upstream claimed by another thread as ejected, and discards the claim if that thread has exited', () => {
    const scene = new Scene(2);
    scene.cell('u1').set(0, 1);
    scene.respond('u0', 'xxxxx');
    expect(scene.ejected).to.deep.equal([]);
    scene.pass(1);
    expect(scene.of('u1').isClaimed).to.equal(true);
    scene.pass(1);
    expect(scene.of('u1').isInRotation).to.equal(true);
    scene.respond('u0', 'x');
    expect(scene.ejected).to.deep.equal(['u0']);
  });

  it('outlier detection ejects the upstream whose success rate is below the mean by more than k standard deviations', () => {
    const scene = new Scene(6, { consecutiveErrors: 0 });
    for (let i = 0; i < 6; i++) scene.respond(`u${i}`, i === 3 ? '.x.x.x.x.x.x' : '...........x');
    scene.pass(9);
    expect(scene.ejected).to.deep.equal([]);
    scene.pass(1);
    expect(scene.ejected).to.deep.equal(['u3']);
    expect(scene.of('u3').ejection?.reason).to.equal('success rate of 50.0 %');
    expect(scene.reported).to.deep.equal(['u3 unhealthy']);
  });

  it('outlier detection does not compare success rates if upstreams have few requests, or if there are few upstreams', () => {
    const few = new Scene(6, { consecutiveErrors: 0 });
    for (let i = 0; i < 6; i++) few.respond(`u${i}`, i === 3 ? '.x.x.x.x.' : '...........x');
    few.pass(10);
    expect(few.ejected).to.deep.equal([]);
    const small = new Scene(5, { consecutiveErrors: 0, minUpstreams: 6 });
    for (let i = 0; i < 5; i++) small.respond(`u${i}`, i === 3 ? '.x.x.x.x.x.x' : '...........x');
    small.pass(10);
    expect(small.ejected).to.deep.equal([]);
  });

  it('outlier detection compares only requests from the same interval', () => {
    const scene = new Scene(6, { consecutiveErrors: 0 });
    scene.respond('u3', '.x.x.x.x.x.x');
    scene.pass(10);
    for (let i = 0; i < 6; i++) scene.respond(`u${i}`, '...........x');
    scene.pass(10);
    expect(scene.ejected).to.deep.equal([]);
  });

  it('outlier detection reports an ejection once, even if the configuration changes in the meantime', () => {
    const scene = new Scene(2);
    scene.eject('u0');
    scene.pass(1);
    scene.reload();
    scene.pass(1);
    expect(scene.reported).to.deep.equal(['u0 unhealthy']);
    scene.pass(30);
    expect(scene.reported).to.deep.equal(['u0 unhealthy', 'u0 healthy']);
  });

  it('outlier detection ends an ejection if the clock is set back', () => {
    const scene = new Scene(2);
    scene.eject('u0');
    scene.now -= 3_600_000;
    scene.pass(1);
    expect(scene.ejected).to.deep.equal([]);
  });
});
