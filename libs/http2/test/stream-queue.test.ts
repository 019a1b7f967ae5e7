import { expect } from 'chai';
import fc from 'fast-check';
import { queue, Http2Stream, type StreamHost } from '../src/stream.ts';
import { StreamQueue } from '../src/stream-queue.ts';

const host: StreamHost = { ready() {}, credit() {}, reset() {}, stop() {} };

function streamOf(id: number, urgency: number, incremental = true): Http2Stream {
  const stream = new Http2Stream(host, id, 0, 0);
  stream.urgency = urgency;
  stream.incremental = incremental;
  return stream;
}

/** Removes all streams from the queue and returns their IDs in order. Verifies that each removed stream no longer refers to the queue. */
function drain(waiting: StreamQueue): number[] {
  const ids: number[] = [];
  for (let { first } = waiting; first !== null; { first } = waiting) {
    ids.push(first.id);
    waiting.shift();
    expect([first.queue, first.next]).to.deep.equal([queue.none, null]);
  }
  return ids;
}

describe('HTTP/2 stream queue', () => {
  it('StreamQueue orders streams by urgency, and then by arrival', () => {
    const waiting = new StreamQueue(queue.heads);
    for (const [id, urgency] of [3, 1, 3, 0, 7, 1, 0].entries()) waiting.add(streamOf(id, urgency), false);
    expect(drain(waiting)).to.deep.equal([3, 6, 1, 5, 0, 2, 4]);
  });

  it('StreamQueue places non-incremental streams before incremental streams of the same urgency', () => {
    const waiting = new StreamQueue(queue.bodies);
    for (const [id, urgency] of [3, 1, 3, 5].entries()) waiting.add(streamOf(id, urgency), false);
    waiting.add(streamOf(9, 3, false), true);
    expect(drain(waiting)).to.deep.equal([1, 9, 0, 2, 3]);
  });

  it('StreamQueue orders non-incremental streams by request (RFC 9218 §10)', () => {
    const waiting = new StreamQueue(queue.bodies);
    for (const [id, urgency] of [
      [5, 3],
      [1, 3],
      [7, 1],
      [3, 3],
      [9, 3],
    ] as const)
      waiting.add(streamOf(id, urgency, false), true);
    expect(drain(waiting)).to.deep.equal([7, 1, 3, 5, 9]);
  });

  it('StreamQueue records in each stream which queue contains it', () => {
    const stream = streamOf(1, 3);
    new StreamQueue(queue.bodies).add(stream, false);
    expect(stream.queue).to.equal(queue.bodies);
  });

  it('StreamQueue is empty initially, and stays empty if an element is removed', () => {
    const waiting = new StreamQueue(queue.heads);
    waiting.shift();
    waiting.clear();
    waiting.remove(streamOf(1, 3));
    expect(waiting.first).to.equal(null);
  });

  it('StreamQueue preserves its order through any sequence of operations', () => {
    const op = fc.oneof(
      { weight: 4, arbitrary: fc.record({ urgency: fc.nat(3), incremental: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ remove: fc.nat(10) }) },
      { weight: 2, arbitrary: fc.constant('shift') },
      { weight: 1, arbitrary: fc.constant('unknown') },
      { weight: 1, arbitrary: fc.constant('clear') },
    );
    fc.assert(
      fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
        const waiting = new StreamQueue(queue.bodies);
        let model: Http2Stream[] = [];
        let id = 0;
        for (const each of ops) {
          if (each === 'shift') {
            waiting.shift();
            model.shift();
          } else if (each === 'clear') {
            waiting.clear();
            model = [];
          } else if (each === 'unknown') waiting.remove(streamOf(1000, 3));
          else if (typeof each === 'string') continue;
          else if ('remove' in each) {
            const stream = model[each.remove];
            if (stream === undefined) continue;
            waiting.remove(stream);
            expect([stream.queue, stream.next]).to.deep.equal([queue.none, null]);
            model = model.filter((other) => other !== stream);
          } else {
            const { urgency, incremental } = each;
            // Stream IDs increase and decrease, because a stream is added again after each of its frames.
            const stream = streamOf((id++ * 7) % 1009, urgency, incremental);
            waiting.add(stream, !incremental);
            const at = model.findIndex((other) => {
              if (incremental || other.urgency !== urgency) return other.urgency > urgency;
              return other.incremental || other.id > stream.id;
            });
            model.splice(at < 0 ? model.length : at, 0, stream);
          }
          expect(waiting.first).to.equal(model[0] ?? null);
        }
        expect(drain(waiting)).to.deep.equal(model.map((stream) => stream.id));
        waiting.add(streamOf(7, 3), false);
        expect(drain(waiting)).to.deep.equal([7]);
      }),
    );
  });
});
