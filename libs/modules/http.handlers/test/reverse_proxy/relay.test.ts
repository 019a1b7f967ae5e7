import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { taskOf } from '@sluice/base';
import type { DirectReader, DirectSocket } from '@sluice/http-app';
import { relay } from '../../src/reverse_proxy/relay.ts';

/** A socket that reads into a single buffer. Each read overwrites the previous data. */
class ReadingSocket extends Duplex implements DirectSocket {
  directReader: DirectReader | null = null;
  readonly #bytes = Buffer.alloc(64 * 1024);

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }

  receive(content: Buffer): void {
    content.copy(this.#bytes);
    this.directReader?.(this.#bytes, content.length);
    this.#bytes.fill('?');
  }
}

/** A socket that accepts written data either immediately or when the test allows it. */
class WritingSocket extends Duplex {
  readonly pieces: Buffer[] = [];
  ended = false;
  isSlow = false;
  #done: (() => void) | null = null;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.pieces.push(chunk);
    if (this.isSlow) this.#done = done;
    else done();
  }

  override _final(done: () => void): void {
    this.ended = true;
    done();
  }

  accept(): void {
    const done = this.#done;
    this.#done = null;
    done?.();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const owner = taskOf('http.handlers.reverse_proxy');
const piece = (letter: string, size = 40_000): Buffer => Buffer.alloc(size, letter);

describe('http.handlers.reverse_proxy: relay', () => {
  let from: ReadingSocket;
  let to: WritingSocket;
  beforeEach(() => {
    from = new ReadingSocket();
    to = new WritingSocket();
  });
  const start = (): void => void relay(from, to, owner, null);

  it('relay() writes data immediately, and reuses its buffer after the peer has accepted the data', () => {
    start();
    const written: string[] = [];
    for (const letter of ['a', 'b', 'c']) {
      from.receive(piece(letter));
      written.push((to.pieces.at(-1) as Buffer).toString('latin1'));
    }
    expect(written).to.deep.equal(['a', 'b', 'c'].map((letter) => letter.repeat(40_000)));
    const [first, ...others] = to.pieces.map(({ buffer }) => buffer);
    for (const other of others) expect(other).to.equal(first);
  });

  it('relay() keeps data that the peer has not accepted, and stops reading', async () => {
    to.isSlow = true;
    start();
    from.receive(piece('a'));
    expect(from.isPaused()).to.equal(false);
    // Two chunks together exceed the buffer limit.
    from.receive(piece('b'));
    expect(from.isPaused()).to.equal(true);
    to.accept();
    await turn();
    to.accept();
    await turn();
    expect(from.isPaused()).to.equal(false);
    expect(to.pieces.map((each) => each.toString('latin1'))).to.deep.equal(
      ['a', 'b'].map((letter) => letter.repeat(40_000)),
    );
  });

  it('relay() passes on data that arrived before its call, and then the end of the stream', async () => {
    from.push(Buffer.from('early'));
    start();
    from.receive(Buffer.from('late'));
    from.push(null);
    await turn();
    await turn();
    expect(Buffer.concat(to.pieces).toString()).to.equal('earlylate');
    expect(to.ended).to.equal(true);
  });

  it('relay() passes on the end of a stream that ended before its call', async () => {
    from.resume().push(null);
    await turn();
    expect(from.readableEnded).to.equal(true);
    start();
    await turn();
    expect(to.ended).to.equal(true);
  });

  it('relay() discards data for a disconnected peer', () => {
    start();
    to.destroy();
    from.receive(piece('a'));
    expect(to.pieces).to.deep.equal([]);
    expect(from.isPaused()).to.equal(false);
  });

  it('relay() supports streams that are not sockets', async () => {
    const other = new WritingSocket();
    relay(other, to, owner, null);
    other.push(Buffer.from('hello'));
    other.push(null);
    await turn();
    await turn();
    expect(Buffer.concat(to.pieces).toString()).to.equal('hello');
    expect(to.ended).to.equal(true);
  });
});
