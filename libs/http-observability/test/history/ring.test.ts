import { expect } from 'chai';
import fc from 'fast-check';
import { Ring } from '../../src/history/ring.ts';

const step = 10_000;
/** A timestamp at which a step ends. */
const start = 1_700_000_000_000;

describe('stats.history.ring', () => {
  it('Ring reads the steps of a range, with null for missing samples', () => {
    const ring = new Ring(step, 6, 2);
    ring.add(start, [1, Number.NaN]);
    // The next step contains no sample.
    ring.add(start + 2 * step, [2.34567, 4]);
    const { from, series } = ring.read(start - step, start + 2 * step);
    expect(from).to.equal(start - step);
    expect(series).to.deep.equal([
      [1, null, 2.346],
      [null, null, 4],
    ]);
  });

  it('Ring stops before a step whose sample is still missing, so that the client requests this step again', () => {
    const ring = new Ring(step, 6, 1);
    expect(ring.read(start - step, start)).to.deep.equal({ from: start - step, series: [[]] });
    ring.add(start, [1]);
    for (const later of [0, 6000, step, step + 500])
      expect(ring.read(start - step, start + later)).to.deep.equal({ from: start - step, series: [[1]] });
    expect(ring.read(start, start + step)).to.deep.equal({ from: start, series: [[]] });
  });

  it('Ring assigns a sample to the step that has just ended, even if the timer fires early or late', () => {
    for (const late of [-1500, 0, 1500]) {
      const ring = new Ring(step, 6, 1);
      ring.add(start + late, [7]);
      expect(ring.read(start - step, start).series).to.deep.equal([[7]]);
    }
  });

  it('Ring keeps the most recent steps, and never returns an old value for a missing step', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (isSampled) => {
        const ring = new Ring(step, 12, 1);
        const bytes = ring.bytes;
        for (const [index, sampled] of isSampled.entries()) if (sampled) ring.add(start + index * step, [index]);
        const latest = isSampled.lastIndexOf(true);
        const end = start + (isSampled.length - 1) * step;
        const { from, series } = ring.read(0, end);
        if (latest >= 0) {
          const first = Math.max(isSampled.indexOf(true), latest - 11);
          const wanted = isSampled.map((sampled, index) => (sampled ? index : null)).slice(first, latest + 1);
          expect(series).to.deep.equal([wanted]);
          expect(from).to.equal(start + (first - 1) * step);
        }
        expect(ring.bytes).to.equal(bytes);
      }),
    );
  });
});
