import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { ControlBus, openTally, serveTally, TallyStore } from '@sluice/threads';
import { until } from '../fake-threads.ts';

describe('openTally', () => {
  it('a Tally gets more memory from the control thread on demand', async () => {
    const store = new TallyStore();
    const bus = new ControlBus(silentLogger);
    serveTally(store, bus);
    const tally = openTally(store.slabsOf(bus.thread), bus);
    const before = store.bytes;
    for (let i = 0; i < 60; i++) expect(tally.acquire(`a ${i}`)).not.to.equal(null);
    await until(() => store.bytes > before);
    for (let i = 0; i < 60; i++) await until(() => tally.acquire(`b ${i}`) !== null);
    expect([...store.read()]).to.have.length(tally.size);
    // The memory belongs to the thread number, so the next thread with that number uses it as well.
    expect(store.slabsOf(bus.thread)).to.have.length.greaterThan(1);
  });

  it('a Tally continues with its existing memory if the control thread provides no more memory', async () => {
    for (const serve of [false, true]) {
      const bus = new ControlBus(silentLogger);
      const store = new TallyStore();
      let asked = 0;
      if (serve) bus.onAsk({ name: 'tally.grow' }, () => (asked++, null));
      const tally = openTally(store.slabsOf(bus.thread), bus);
      for (let i = 0; i < 63; i++) tally.acquire(`a ${i}`);
      await until(() => !serve || asked === 1);
      expect(tally.acquire('one more')).to.equal(null);
      expect(tally.size).to.equal(64);
    }
  });
});
