import { expect } from 'chai';
import fc from 'fast-check';
import { ReplayableBody, RequestBody, type BodySink } from '@sluice/http-app';

/** A request body whose chunks the test provides. It respects pauses. */
class ManualBody extends RequestBody {
  readonly length = -1;
  readonly trailers = null;
  consumed = false;
  sink: BodySink | null = null;
  paused = false;
  readonly #chunks: Buffer[];

  constructor(chunks: readonly string[]) {
    super();
    this.#chunks = chunks.map((chunk) => Buffer.from(chunk));
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    this.sink = sink;
  }

  resume(): void {
    this.paused = false;
  }

  /**
   * Delivers the next chunk or the end of the body. The chunk's buffer is overwritten after delivery. Returns false if delivery is paused
   * or complete.
   */
  step(): boolean {
    const { sink } = this;
    if (sink === null || this.paused) return false;
    const chunk = this.#chunks.shift();
    if (chunk === undefined) {
      this.sink = null;
      sink.onEnd();
      return false;
    }
    const shared = Buffer.from(chunk);
    this.paused = !sink.onData(shared);
    shared.fill('!');
    return true;
  }
}

/** Reads a body as text, and pauses at the given chunks. */
class Taker implements BodySink {
  text = '';
  ended = false;
  error: Error | null = null;
  readonly #responses: boolean[];

  constructor(responses: readonly boolean[] = []) {
    this.#responses = [...responses];
  }

  onData(chunk: Buffer): boolean {
    this.text += chunk.toString();
    return this.#responses.shift() ?? true;
  }

  onEnd(): void {
    this.ended = true;
  }

  onError(error: Error): void {
    this.error = error;
  }
}

describe('proxy: ReplayableBody', () => {
  it('ReplayableBody can be replayed from the beginning as long as it is fully buffered', () => {
    const inner = new ManualBody(['ab', 'cd', 'ef']);
    const body = new ReplayableBody(inner, 100);
    const first = new Taker();
    body.consume(first);
    inner.step();
    inner.step();
    expect(first.text).to.equal('abcd');
    expect(body.rewind()).to.equal(true);
    const second = new Taker();
    body.consume(second);
    while (inner.step());
    expect(second).to.include({ text: 'abcdef', ended: true });
    expect(first.text).to.equal('abcd');
  });

  it('ReplayableBody cannot be replayed if it is larger than its limit', () => {
    const inner = new ManualBody(['ab', 'cd', 'ef']);
    const body = new ReplayableBody(inner, 3);
    body.consume(new Taker());
    inner.step();
    expect(body.replayable).to.equal(true);
    inner.step();
    expect(body.rewind()).to.equal(false);
  });

  it('ReplayableBody reads ahead up to its limit', async () => {
    const inner = new ManualBody(['ab', 'cd', 'ef', 'gh']);
    const body = new ReplayableBody(inner, 4);
    const filled = body.fill();
    while (inner.step());
    await filled;
    const taker = new Taker();
    body.consume(taker);
    expect(taker.text).to.equal('abcd');
    while (inner.step());
    expect(taker).to.include({ text: 'abcdefgh', ended: true });
  });

  it('ReplayableBody determines the length of a body that ends within its limit', async () => {
    const lengths: number[] = [];
    for (const limit of [4, 5]) {
      const inner = new ManualBody(['ab', 'cd']);
      const body = new ReplayableBody(inner, limit);
      const filled = body.fill();
      while (inner.step());
      await filled;
      lengths.push(body.length);
      body.countLength();
      lengths.push(body.length);
    }
    expect(lengths).to.deep.equal([-1, -1, -1, 4]);
  });

  it('ReplayableBody passes errors on to its consumer, and to the next consumer after a rewind', () => {
    const inner = new ManualBody(['ab']);
    const body = new ReplayableBody(inner, 10);
    const first = new Taker();
    body.consume(first);
    inner.step();
    inner.sink?.onError(new Error('gone'));
    expect(first.error?.message).to.equal('gone');
    body.rewind();
    const second = new Taker();
    body.consume(second);
    expect(second.text).to.equal('ab');
    expect(second.error?.message).to.equal('gone');
  });

  it('ReplayableBody delivers all bytes exactly once and in order, regardless of timing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 12 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        fc.integer({ min: 0, max: 60 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        (chunks, responses, limit, order) => {
          const inner = new ManualBody(chunks);
          const body = new ReplayableBody(inner, limit);
          const taker = new Taker(responses);
          body.consume(taker);
          for (const step of order) {
            if (step) inner.step();
            else body.resume();
          }
          for (let i = 0; i < 200 && !taker.ended; i++) {
            body.resume();
            inner.step();
          }
          expect(taker).to.include({ text: chunks.join(''), ended: true });
        },
      ),
    );
  });
});
