import { expect } from 'chai';
import fc from 'fast-check';
import { ResetIds } from '../src/reset-ids.ts';
import { Http2Stream, type StreamHost } from '../src/stream.ts';
import { StreamTable } from '../src/stream-table.ts';

const host: StreamHost = { ready() {}, credit() {}, reset() {}, stop() {} };

const byId = (a: Http2Stream, b: Http2Stream): number => a.id - b.id;

describe('HTTP/2 stream table', () => {
  it('StreamTable finds streams that were added and not deleted, even if their IDs share a slot', () => {
    const id = fc.tuple(fc.nat(5), fc.nat(3)).map(([low, high]) => 1 + 2 * low + 256 * high);
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), (ids) => {
        const table = new StreamTable();
        const model = new Map<number, Http2Stream>();
        for (const each of ids) {
          const open = model.get(each);
          expect(table.find(each)).to.equal(open ?? null);
          if (open === undefined) {
            const stream = new Http2Stream(host, each, 0, 0);
            table.add(stream);
            model.set(each, stream);
          } else {
            table.delete(open);
            model.delete(each);
          }
          expect(table.size).to.equal(model.size);
          expect([...table].toSorted(byId)).to.deep.equal([...model.values()].toSorted(byId));
        }
        for (const stream of model.values()) expect(table.find(stream.id)).to.equal(stream);
      }),
    );
  });

  it('StreamTable provides a slot for each of 128 consecutive streams, and stores additional streams', () => {
    const table = new StreamTable();
    const ids = Array.from({ length: 300 }, (_, i) => 2 * i + 1);
    for (const id of ids) table.add(new Http2Stream(host, id, 0, 0));
    for (const id of ids) expect(table.find(id)?.id).to.equal(id);
    expect([...table].map(({ id }) => id).toSorted((a, b) => a - b)).to.deep.equal(ids);
  });
});

describe('IDs of reset HTTP/2 streams', () => {
  it('ResetIds remembers the last 64 IDs', () => {
    const ids = new ResetIds();
    for (let i = 1; i <= 200; i++) {
      expect(ids.has(i)).to.equal(false);
      ids.add(i);
      expect(ids.has(i)).to.equal(true);
      expect(ids.has(Math.max(1, i - 63))).to.equal(true);
      if (i > 64) expect(ids.has(i - 64)).to.equal(false);
    }
  });
});
