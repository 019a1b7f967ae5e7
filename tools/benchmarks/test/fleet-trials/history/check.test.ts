import { expect } from 'chai';
import type { Change, History, Read, Revision } from '../../../src/fleet-trials/history/call.ts';
import { problemsIn } from '../../../src/fleet-trials/history/check.ts';
import { Porcupine } from '../../../src/fleet-trials/history/porcupine.ts';

/** Returns a change that was requested at `called` and completed at `responded`. */
function change(op: string, [called, responded]: readonly [number, number], more: Partial<Change> = {}): Change {
  return { op, client: 0, called, responded, outcome: 'committed', revision: null, said: '', ...more };
}

function read(revision: number, [called, responded]: readonly [number, number], value: string): Read {
  return { client: 1, called, responded, revision, path: ['value'], value };
}

/** Returns the revisions that the given operations create. The first operation creates the fleet. */
function revisionsOf(...ops: readonly string[]): Revision[] {
  return ops.map((op, i) => ({
    revision: i + 1,
    op,
    patch: [{ op: 'replace', path: i === 0 ? '' : '/value', value: i === 0 ? { value: op } : op }],
  }));
}

const sound: History = {
  changes: [
    change('a', [0, 10], { revision: 2 }),
    change('b', [5, 20], { revision: 3 }),
    change('bad', [0, 30], { outcome: 'refused' }),
    change('lost', [0, 30], { outcome: 'unknown' }),
    change('late', [0, 12], { outcome: 'unknown' }),
    change('c', [40, 50], { revision: 5 }),
  ],
  reads: [read(2, [11, 19], 'a'), read(3, [11, 30], 'b'), read(5, [60, 61], 'c')],
  // A change with an unknown outcome that was applied after its client had given up.
  revisions: revisionsOf('first', 'a', 'b', 'late', 'c'),
};

const swapped = [change('a', [0, 10], { revision: 3 }), change('b', [11, 20], { revision: 2 })];

const planted: Readonly<Record<string, History>> = {
  'two changes in the wrong order': {
    ...sound,
    changes: swapped,
    reads: [],
    revisions: revisionsOf('first', 'b', 'a'),
  },
  'a missing committed change': {
    ...sound,
    revisions: revisionsOf('first', 'a', 'b', 'late'),
    reads: [],
  },
  'two changes committed as one revision': {
    ...sound,
    changes: [...sound.changes, change('d', [51, 52], { revision: 5 })],
  },
  'a stale read': { ...sound, reads: [read(2, [45, 55], 'a')] },
  'a change applied before it was requested': {
    ...sound,
    changes: sound.changes.map((each) => (each.op === 'a' ? { ...each, called: 21, responded: 22 } : each)),
  },
};

describe("benchmark tool: checks of a fleet's history", () => {
  it('problemsIn accepts a valid history', () => {
    expect(problemsIn(sound)).to.deep.equal([]);
  });

  for (const [name, history] of Object.entries(planted))
    it(`problemsIn reports ${name}`, () => {
      expect(problemsIn(history)).not.to.deep.equal([]);
    });

  it('problemsIn reports a rejected change that was applied, a repeated change and a missing change', () => {
    const changes = [change('a', [0, 1], { outcome: 'refused' })];
    const refused = problemsIn({ changes, reads: [], revisions: revisionsOf('first', 'a') });
    expect(refused).to.deep.equal(['a was rejected (), but is revision 2']);
    const unknown = [change('a', [0, 1], { outcome: 'unknown' })];
    const twice = problemsIn({ changes: unknown, reads: [], revisions: revisionsOf('first', 'a', 'a') });
    expect(twice).to.deep.equal(['a is in the history 2 times']);
    const gap = problemsIn({ changes: [], reads: [], revisions: revisionsOf('first', 'a').slice(1) });
    expect(gap).to.deep.equal(['revision 1 is not in the history']);
  });

  it('problemsIn reports a read with a wrong value for its revision', () => {
    const problems = problemsIn({ ...sound, reads: [read(5, [60, 61], 'b')] });
    expect(problems).to.deep.equal(['value was read as "b", but was different at revision 5']);
  });

  describe('benchmark tool: check with Porcupine', function () {
    this.timeout(120_000);
    let porcupine: Porcupine;
    before(function () {
      porcupine = new Porcupine();
      const verdict = porcupine.check(sound);
      if (typeof verdict === 'string') return;
      process.stdout.write(`        skipped: ${verdict.skipped}\n`);
      this.skip();
    });
    after(() => porcupine.close());

    it('Porcupine accepts a valid history', () => {
      expect(porcupine.check(sound)).to.equal('accepted');
    });

    for (const [name, history] of Object.entries(planted))
      it(`Porcupine rejects ${name}`, () => {
        expect(porcupine.check(history)).to.equal('refused');
      });
  });
});
