import { expect } from 'chai';
import type { TallyBlock } from '@sluice/threads';
import { SideMeter } from '../../src/canary/side-meter.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';

/** Returns a meter, and the numbers of counted and timed requests. */
function meter(): { readonly count: (startedAt: number) => void; readonly counts: { counted: number; timed: number } } {
  const counts = { counted: 0, timed: 0 };
  const block = {
    add: () => void counts.counted++,
    observe: (_bucket: number, by: number) => void (counts.timed += by),
  } as unknown as TallyBlock;
  const side = new SideMeter([block], () => 0, null);
  const writer = { status: 200, upgraded: false };
  return { counts, count: (startedAt) => side.count({ writer, startedAt, place: null } as unknown as Exchange) };
}

describe('SideMeter', () => {
  it('SideMeter counts all requests of a busy server, but times only some of them', () => {
    const { count, counts } = meter();
    for (let i = 0; i < 10_000; i++) count(performance.now());
    expect(counts.counted).to.equal(10_000);
    expect(counts.timed).to.be.within(10_000 / 64 - 1, 5000);
  });

  it('SideMeter times all requests if requests are infrequent', async () => {
    const { count, counts } = meter();
    for (let i = 0; i < 8; i++) {
      count(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
    expect(counts).to.deep.equal({ counted: 8, timed: 8 });
  });
});
