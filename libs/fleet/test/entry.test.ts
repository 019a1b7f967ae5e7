import { expect } from 'chai';
import {
  beginning,
  continues,
  decodeEntry,
  decodeHead,
  encodeEntry,
  encodeHead,
  entryAfter,
  follows,
  headAt,
} from '@sluice/fleet';

const change = {
  op: 'op-1',
  who: 'a',
  when: 5,
  patch: [{ op: 'replace', path: '/x', value: 1 }],
  inverse: [],
  requires: [],
};
const start = beginning('lineage');
const first = entryAfter(start, change);
const second = entryAfter(headAt('lineage', first), change);

describe('fleet log entries', () => {
  it('entryAfter links each entry to the previous one, starting with the lineage', () => {
    expect(first.rev).to.equal(1);
    expect(first.parent).to.equal('lineage');
    expect(follows(start, first)).to.equal(true);
    expect(follows(headAt('lineage', first), second)).to.equal(true);
  });

  it('follows() rejects an entry at the wrong position', () => {
    expect(follows(start, second)).to.equal(false);
    expect(follows(beginning('another'), first)).to.equal(false);
    expect(follows(headAt('lineage', second), second)).to.equal(false);
  });

  it('follows() rejects entries that do not match their hash', () => {
    const forged = [
      { ...first, patch: [] },
      { ...first, inverse: [1] },
      { ...first, who: 'b' },
      { ...first, op: 'op-2' },
      { ...first, when: 6 },
      { ...first, requires: ['x'] },
    ];
    for (const each of forged) expect(follows(start, each)).to.equal(false);
  });

  it('decodeEntry and decodeHead are the inverse of their encoders', () => {
    expect(decodeEntry(encodeEntry(second))).to.deep.equal(second);
    expect(follows(headAt('lineage', first), decodeEntry(encodeEntry(second)))).to.equal(true);
    expect(decodeHead(encodeHead(start))).to.deep.equal(start);
  });

  it('decodeEntry rejects data written by other programs', () => {
    for (const text of ['1', '{}', '{"rev":"1"}'])
      expect(() => decodeEntry(text)).to.throw('not written by a fleet member');
    expect(() => decodeHead('{"format":2}')).to.throw('unsupported format 2, expected 1');
  });

  it('continues() reports whether a log still contains an earlier position', () => {
    const [one, two] = [headAt('lineage', first), headAt('lineage', second)];
    const other = entryAfter(headAt('lineage', { rev: 1, hash: 'another' }), change);
    expect(continues(one, one, undefined)).to.equal(true);
    expect(continues(one, two, second)).to.equal(true);
    expect(continues(one, two, undefined), 'a log that was trimmed').to.equal(true);
    expect(continues(two, one, undefined), 'one that is shorter').to.equal(false);
    expect(continues(two, null, undefined)).to.equal(false);
    expect(continues(one, headAt('lineage', { rev: 1, hash: 'another' }), undefined)).to.equal(false);
    expect(continues(one, headAt('lineage', other), other), 'one with another past').to.equal(false);
    expect(continues(one, headAt('other', second), second), 'one of another fleet').to.equal(false);
  });
});
