import { expect } from 'chai';
import { setPriority } from '../src/priority.ts';
import { Http2Stream } from '../src/stream.ts';

/** Returns the urgency and the incremental flag that a Priority value specifies. */
function priorityOf(value: string): [number, boolean] {
  const stream = new Http2Stream({ ready() {}, credit() {}, reset() {}, stop() {} }, 1, 0, 0);
  stream.urgency = 6;
  setPriority(stream, value);
  return [stream.urgency, stream.incremental];
}

describe('HTTP/2 stream priorities (RFC 9218)', () => {
  for (const [value, urgency, incremental] of [
    ['', 3, false],
    ['u=0', 0, false],
    ['u=7', 7, false],
    ['u=8', 3, false],
    ['u=/', 3, false],
    ['u=-1', 3, false],
    ['u=10', 3, false],
    ['u', 3, false],
    ['i', 3, true],
    ['i=?1', 3, true],
    ['i=?0', 3, false],
    ['u=5, i', 5, true],
    [' i , u=2 ', 2, true],
    ['u=1;x=2, i;y', 1, true],
    ['a=5, b', 3, false],
    ['u=1, u=4', 4, false],
    ['i, i=?0', 3, false],
  ] as const)
    it(`setPriority parses ${JSON.stringify(value)}`, () => {
      expect(priorityOf(value)).to.deep.equal([urgency, incremental]);
    });
});
