import { expect } from 'chai';
import fc from 'fast-check';
import { VerdictDecoder, type Verdict } from '../../src/waf/frames.ts';

function frameOf(transaction: number, verdict: Verdict): Buffer {
  const text = Buffer.from(JSON.stringify(verdict));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(4 + text.length, 0);
  head.writeUInt32LE(transaction, 4);
  return Buffer.concat([head, text]);
}

describe('VerdictDecoder', () => {
  it('VerdictDecoder returns the same verdicts for any segmentation of the input', () => {
    const verdicts: [number, Verdict][] = [
      [1, {}],
      [4_294_967_295, { action: 'deny', status: 403, rule: 949_110 }],
      [2, { body: true }],
    ];
    const bytes = Buffer.concat(verdicts.map(([transaction, verdict]) => frameOf(transaction, verdict)));
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const seen: [number, Verdict][] = [];
        const decoder = new VerdictDecoder((transaction, verdict) => seen.push([transaction, verdict]));
        const bounds = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < bounds.length; i++) decoder.push(bytes.subarray(bounds[i - 1], bounds[i]));
        expect(seen).to.deep.equal(verdicts);
      }),
    );
  });
});
