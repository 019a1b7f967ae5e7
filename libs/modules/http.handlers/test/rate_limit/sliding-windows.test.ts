import { expect } from 'chai';
import fc from 'fast-check';
import { SlidingWindows } from '../../src/rate_limit/sliding-windows.ts';

const megabyte = 1024 * 1024;
const open = (bytes = megabyte): SlidingWindows => new SlidingWindows(new SharedArrayBuffer(bytes), 0);

/** A reference implementation. An event is allowed if the window contains fewer than `max` allowed events. */
class Model {
  readonly #events = new Map<string, number[]>();

  take(key: string, now: number, window: number, max: number): boolean {
    const events = (this.#events.get(key) ?? []).filter((time) => now - time < window);
    const allowed = events.length < max;
    if (allowed) events.push(now);
    this.#events.set(key, events);
    return allowed;
  }
}

describe('SlidingWindows', () => {
  it('SlidingWindows allows the same events as a reference list of event times, for any keys, windows and limits', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'a much longer key than fits into one unit: ü€😀', ''),
      pause: fc.nat(60),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300 }),
        fc.integer({ min: 1, max: 500 }),
        fc.nat(40),
        fc.nat(),
        (steps, window, max, start) => {
          const windows = open();
          const model = new Model();
          let now = start % 2 ** 31;
          for (const { key, pause } of steps) {
            now += pause;
            const { wait } = windows.take(key, now | 0, window, max);
            expect(wait === 0).to.equal(model.take(key, now, window, max));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('SlidingWindows returns the milliseconds until the next event is allowed', () => {
    const windows = open();
    for (const time of [0, 10, 20]) expect(windows.take('k', time, 100, 3).wait).to.equal(0);
    expect(windows.take('k', 30, 100, 3).wait).to.equal(70);
    expect(windows.take('k', 99, 100, 3).wait).to.equal(1);
    expect(windows.take('k', 100, 100, 3).wait).to.equal(0);
    expect(windows.take('k', 100, 100, 3).wait).to.equal(10);
  });

  it('SlidingWindows keeps its events when the limit and the window change', () => {
    const windows = open();
    for (let time = 0; time < 50; time++) windows.take('k', time, 1000, 50);
    expect(windows.take('k', 50, 1000, 51)).to.include({ wait: 0, remaining: 0 });
    // There are 51 events. Ten more are allowed once 42 events have left the window. The last of these was at time 41.
    expect(windows.take('k', 60, 1000, 10).wait).to.equal(1000 - (60 - 41));
    expect(windows.take('k', 60, 20, 50)).to.include({ wait: 0, remaining: 49 - 10 });
  });

  it('SlidingWindows frees the memory of expired events and keys', () => {
    const windows = open();
    for (let round = 0; round < 50; round++) {
      const start = round * 10_000;
      for (let i = 0; i < 1000; i++)
        expect(windows.take(`key ${i % 100} ${'x'.repeat(i % 90)}`, start + i, 1000, 1000).full).to.equal(false);
      windows.sweep([0, windows.buckets], start + 5000, 1000);
      expect(windows.totals).to.deep.include({ keys: 0 });
      expect(windows.totals.memory.used).to.equal(0);
    }
  });

  it('SlidingWindows allows events without counting them while its memory is full, and then resumes counting', () => {
    const windows = open(65_536);
    let full = 0;
    for (let i = 0; i < 1000; i++) if (windows.take(`key ${i}`, i, 1000, 1).full) full++;
    expect(full).to.be.greaterThan(0);
    expect(windows.totals.uncounted).to.equal(full);
    windows.sweep([0, windows.buckets], 5000, 1000);
    expect(windows.take('new', 5000, 1000, 1)).to.include({ wait: 0, full: false });
    expect(windows.take('new', 5001, 1000, 1).wait).to.equal(999);
  });

  it('SlidingWindows lists and resets keys, and supports individual limits', () => {
    const windows = open();
    const shown = (): object[] => {
      const found: object[] = [];
      windows.visit([0, windows.buckets], 10, 100, (state) => found.push(state));
      return found;
    };
    windows.take('ключ', 0, 100, 1);
    windows.take('ключ', 1, 100, 1);
    expect(shown()).to.deep.equal([{ key: 'ключ', events: 1, rejected: 1, limit: 0, oldestExpiresIn: 90 }]);
    windows.setLimit('ключ', 2, 10);
    expect(windows.take('ключ', 10, 100, 1)).to.include({ wait: 0, limit: 2 });
    expect(windows.reset('ключ')).to.equal(true);
    expect(windows.reset('other')).to.equal(false);
    expect(windows.take('ключ', 10, 100, 1)).to.include({ wait: 0, limit: 1 });
  });

  it('SlidingWindows counts the events of other servers until they leave the window', () => {
    const windows = open();
    const counts = [3, ...Array.from({ length: 12 }, () => 0), 2];
    windows.setRemote('k', 0, counts);
    expect(windows.take('k', 0, 1400, 5).wait).to.be.greaterThan(0);
    // The oldest time slice has left the window.
    expect(windows.take('k', 100, 1400, 5)).to.include({ wait: 0, remaining: 2 });
    expect(windows.take('k', 1399, 1400, 5)).to.include({ wait: 0, remaining: 1 });
    expect(windows.take('k', 1400, 1400, 5)).to.include({ wait: 0, remaining: 2 });
  });

  it('SlidingWindows works when the clock wraps around', () => {
    const windows = open();
    const wrap = 2 ** 31 - 50;
    for (let i = 0; i < 10; i++) expect(windows.take('k', (wrap + i * 10) | 0, 1000, 10).wait).to.equal(0);
    expect(windows.take('k', (wrap + 100) | 0, 1000, 10).wait).to.equal(900);
    expect(windows.take('k', (wrap + 1000) | 0, 1000, 10).wait).to.equal(0);
  });
});
