import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Exchange } from '@sluice/http-app';
import { AbortWatch, type Watched } from '../../src/reverse_proxy/abort-watch.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;

/** Records whether the abort callback was called. Each instance uses a known amount of memory. */
class Watching implements Watched {
  watchedAt = -1;
  aborted = 0;
  readonly weight: number[] = Array.from({ length: 256 }, () => 0.5);
  readonly exchange: Exchange;
  constructor(signal: AbortSignal) {
    this.exchange = { signal, fault: () => undefined } as Partial<Exchange> as Exchange;
  }
  onAbort(): void {
    this.aborted++;
  }
}

describe('http.handlers.reverse_proxy: AbortWatch', () => {
  it('AbortWatch notifies remaining listeners shortly after an abort', async () => {
    const watch = new AbortWatch();
    const controller = new AbortController();
    const all = Array.from({ length: 50 }, () => new Watching(controller.signal));
    for (const each of all) watch.add(each);
    const left = all.filter((_, i) => i % 7 === 0 || i > 44);
    for (const each of left) watch.delete(each);
    for (const each of left) watch.delete(each);
    await sleep(150);
    controller.abort();
    expect(all.map(({ aborted }) => aborted)).to.deep.equal(all.map((each) => (left.includes(each) ? 0 : 1)));
    for (const each of all) watch.delete(each);
  });

  it('AbortWatch does not retain removed listeners, even between full garbage collections', () => {
    const watch = new AbortWatch();
    const { signal } = new AbortController();
    const under: Watching[] = [];
    collect({ type: 'major' });
    const before = getHeapStatistics().used_heap_size;
    for (let i = 0; i < 12_000; i++) {
      const watching = new Watching(signal);
      watch.add(watching);
      under.push(watching);
      if (under.length > 64) watch.delete(under.shift() as Watching);
      if (i % 500 === 0) collect({ type: 'minor' });
    }
    collect({ type: 'minor' });
    const kept = getHeapStatistics().used_heap_size - before;
    for (const watching of under) watch.delete(watching);
    // Each instance uses 2 KiB. If none were freed, they would use 24 MiB.
    expect(kept).to.be.below(3 * 1024 * 1024);
  });
});
