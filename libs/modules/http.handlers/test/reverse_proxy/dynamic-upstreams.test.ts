import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import type { Exchange, UpstreamSource } from '@sluice/http-app';
import { allocateSharedCells, SharedCells } from '@sluice/threads';
import { DynamicUpstreams } from '../../src/reverse_proxy/dynamic-upstreams.ts';
import { OutlierPool } from '../../src/reverse_proxy/outliers/outlier.ts';
import type { ProxyUpstream } from '../../src/reverse_proxy/proxy-upstream.ts';
import { UpstreamTable } from '../../src/reverse_proxy/upstream-table.ts';

const rules = {
  maxFails: 0,
  maxRequests: 0,
  breaker: null,
  turn: null,
  passive: { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 },
};

const outlierRules = {
  consecutiveErrors: 1,
  interval: 1000,
  baseEjectionTime: 30_000,
  maxEjectionTime: 30_000,
  maxEjectionPercent: 50,
  stdevFactor: 0,
  minRequests: 1,
  minUpstreams: 2,
};

/** A proxy with a dynamic upstream source. The test sets the lists that the source returns. */
class Scene implements UpstreamSource {
  now = 0;
  list: readonly string[] = [];
  readonly cells = new SharedCells(allocateSharedCells({ capacity: 64, threads: 1 }), 0);
  readonly pool = new OutlierPool(outlierRules, () => this.now);
  readonly proxy = new DynamicUpstreams(this, [], {
    table: new UpstreamTable(),
    cells: this.cells,
    rules,
    user: { key: 'k', node: null, where: 'w', finds: true },
    isPaced: true,
    maxRequests: 0,
    outliers: {
      acquire: (address) => this.pool.member(address, () => this.cells.acquire(`outlier ${address}`)),
      release: (address) => this.pool.remove(address),
    },
    log: silentLogger,
    now: () => this.now,
  });

  upstreams(): readonly string[] {
    return this.list;
  }

  /** Sends a request while the source returns the given list. */
  request(list: readonly string[] = this.list): readonly ProxyUpstream[] {
    this.list = list;
    return this.proxy.of({} as Exchange) as readonly ProxyUpstream[];
  }
}

describe('DynamicUpstreams', () => {
  it('DynamicUpstreams preserves the ejection and slow-start state of an address as long as the source returns the address', () => {
    const scene = new Scene();
    const [a] = scene.request(['a:1', 'b:1']);
    a!.responded(500, 1);
    expect([a!.healthy, scene.pool.members.length]).to.deep.equal([false, 2]);
    for (let i = 0; i < 20; i++) {
      scene.now += 20_000;
      // Simulates a DNS server that rotates its addresses.
      const list = scene.request(i % 2 === 0 ? ['b:1', 'a:1'] : ['a:1', 'b:1']);
      expect(list.find(({ address }) => address === 'a:1')).to.equal(a);
    }
    expect([a!.healthy, a!.pace!.since > 0]).to.deep.equal([false, true]);
  });

  it('DynamicUpstreams drops the ejection and slow-start state of an address that the source no longer returns', () => {
    const scene = new Scene();
    const [a] = scene.request(['a:1', 'b:1']);
    const inUse = scene.cells.inUse();
    a!.enter();
    a!.responded(500, 1);
    expect(a!.healthy).to.equal(false);
    const remaining = ['b:1'];
    for (let i = 0; i < 5; i++) {
      expect(scene.pool.members.length, `after ${scene.now} ms`).to.equal(scene.now > 35_000 ? 1 : 2);
      scene.now += 10_000;
      scene.request(remaining);
    }
    // The two shared memory cells of ejection and slow start have been released.
    expect(scene.cells.inUse()).to.equal(inUse - 2);
    a!.responded(500, 1);
    a!.leave();
    const [again] = scene.request(['a:1', 'b:1']);
    expect([again === a, again!.healthy, again!.requests]).to.deep.equal([false, true, 0]);
    expect(scene.pool.members.map(({ address }) => address).sort()).to.deep.equal(['a:1', 'b:1']);
    expect(again!.pace!.since).to.be.greaterThan(0);
  });

  it('DynamicUpstreams keeps the state of all addresses if the source alternates between lists', () => {
    const scene = new Scene();
    const lists = [['a:1', 'b:1'], ['c:1'], ['d:1']];
    const [a] = scene.request(lists[0]);
    for (let i = 0; i < 60; i++) {
      scene.now += 5000;
      scene.request(lists[i % 3]);
    }
    expect(scene.pool.members).to.have.length(4);
    expect(scene.request(lists[0])[0]).to.equal(a);
    scene.proxy.close();
    expect(scene.cells.inUse()).to.equal(0);
  });
});
