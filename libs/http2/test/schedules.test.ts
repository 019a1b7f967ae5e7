import { expect } from 'chai';
import fc from 'fast-check';
import { writeResult, type Http2Stream } from '@sluice/http2';
import { frame, number, Peer, Recorder, request, type Written } from './peer.ts';

const data = 0;
const headers = 1;
const reset = 3;
const settings = 4;
const ack = 1;
const windowUpdate = 8;
const endStream = 1;

const streamWindow = 5000;
const connectionWindow = 80_000;

/** State of a stream, as tracked by the client. */
class Model {
  window: number;
  readonly received: Buffer[] = [];
  ends = 0;
  /** Number of RST_STREAM frames from the server, and whether the client has sent one. Frames may still be in flight. */
  resets = 0;
  givenUp = false;
  /** Remaining upload window in bytes, and whether the upload is complete. */
  uploadLeft: number = streamWindow;
  uploaded = 0;
  ended = false;

  constructor(window: number) {
    this.window = window;
  }
}

/** State of a stream on the server. */
class Served extends Recorder {
  readonly written: Buffer[] = [];
  /** True if data has been written but not yet reported as sent. */
  waits = false;
  closings = 0;
  uncredited = 0;

  override onData(bytes: Buffer): void {
    expect(this.closings).to.equal(0);
    this.body.push(Buffer.from(bytes));
    this.uncredited += bytes.length;
  }

  override onSent(): void {
    expect(this.closings).to.equal(0);
    expect(this.stream.queued).to.equal(0);
    this.waits = false;
  }

  override onClose(code: number): void {
    this.closings++;
    this.waits = false;
    super.onClose(code);
  }
}

/** A connection whose client tracks all flow-control windows. Its transport completes writes at random times. */
class Scheduled extends Peer {
  readonly models = new Map<number, Model>();
  readonly served: Served[] = [];
  window = 65_535;
  initialWindow = 65_535;
  uploadLeft = 65_535;
  #seen = 0;
  #kept: Buffer | null = null;
  /** Changes of the initial window size that the server has not acknowledged yet. The first SETTINGS frame changes nothing. */
  readonly #unheard: (() => void)[] = [() => undefined];
  pending = false;

  constructor() {
    super(undefined, { stream: streamWindow, all: connectionWindow });
  }

  override onRequest(stream: Http2Stream, fields: Recorder['fields']): void {
    const served = new Served(stream, fields);
    stream.owner = served;
    this.served.push(served);
  }

  override write(bytes: Buffer, end: number): number {
    expect(this.pending).to.equal(false);
    const { result } = this;
    this.pending = result !== writeResult.done;
    if (result === writeResult.kept) this.#kept = bytes.subarray(0, end);
    else {
      super.write(bytes, end);
      bytes.fill(0xff);
      this.#look();
    }
    return result;
  }

  finishWrite(): void {
    if (!this.pending) return;
    const kept = this.#kept;
    this.#kept = null;
    this.pending = false;
    if (kept !== null) {
      super.write(kept, kept.length);
      this.#look();
    }
    this.connection.outbound.written();
  }

  #look(): void {
    for (; this.#seen < this.frames.length; this.#seen++) this.#take(this.frames[this.#seen] as Written);
  }

  #take({ type, flags, stream, payload }: Written): void {
    if (type === settings && (flags & ack) !== 0) this.#unheard.shift()?.();
    const model = this.models.get(stream);
    if (type === windowUpdate && stream === 0) this.uploadLeft += payload.readUInt32BE(0);
    if (model === undefined) return;
    if (type === windowUpdate) model.uploadLeft += payload.readUInt32BE(0);
    if (type === reset) model.resets++;
    if (type !== data && type !== headers) return;
    if (!model.givenUp) expect([model.ends, model.resets]).to.deep.equal([0, 0]);
    if (type === data) {
      model.window -= payload.length;
      this.window -= payload.length;
      if (payload.length > 0) expect(Math.min(model.window, this.window)).to.be.at.least(0);
      model.received.push(payload);
    }
    if ((flags & endStream) !== 0) model.ends++;
  }

  setInitialWindow(size: number): void {
    const payload = Buffer.alloc(6);
    payload.writeUInt16BE(4);
    payload.writeUInt32BE(size, 2);
    const change = size - this.initialWindow;
    const open = [...this.models.values()];
    // Frames composed before the server received the SETTINGS may still arrive (RFC 9113 §6.9.2).
    this.#unheard.push(() => open.forEach((model) => (model.window += change)));
    this.initialWindow = size;
    this.send(frame(settings, 0, 0, payload));
  }

  giveWindow(stream: number, size: number): void {
    const model = this.models.get(stream);
    if (stream === 0) this.window += size;
    else if (model !== undefined) model.window += size;
    this.send(frame(windowUpdate, 0, stream, number(size)));
  }
}

const ops = [
  'request',
  'request',
  'respond',
  'interim',
  'write',
  'write',
  'write',
  'end',
  'end',
  'trailers',
  'resetByServer',
  'resetByClient',
  'stop',
  'upload',
  'upload',
  'finishUpload',
  'credit',
  'credit',
  'window',
  'window',
  'connectionWindow',
  'settings',
  'done',
  'copied',
  'kept',
  'written',
  'written',
  'turn',
  'turn',
] as const;

type Step = readonly [op: (typeof ops)[number], which: number, size: number];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Initial size of the client's connection window, in bytes. It is small so that it limits the transfer. */
const smallWindow = 2000;

class Schedule {
  readonly peer: Scheduled = new Scheduled().open();
  #nextId = 1;
  #nextByte = 0;

  constructor() {
    const { peer } = this;
    this.#request(true);
    const first = peer.served[0] as Served;
    first.stream.respond([':status', '200'], false);
    this.write(first, peer.window - smallWindow);
    first.stream.end(null);
    peer.connection.outbound.flush();
    peer.setInitialWindow(smallWindow);
  }

  #bytes(size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    for (let i = 0; i < size; i++) bytes[i] = this.#nextByte++;
    return bytes;
  }

  #pick(which: number): Served | undefined {
    return this.peer.served[this.peer.served.length - 1 - (which % 6)];
  }

  step([op, which, size]: Step): Promise<void> | undefined {
    const { peer } = this;
    if (op === 'request') this.#request(which % 2 === 0);
    else if (op === 'connectionWindow') peer.giveWindow(0, 1 + size);
    else if (op === 'settings') peer.setInitialWindow(size);
    else if (op === 'done' || op === 'copied' || op === 'kept') peer.result = writeResult[op];
    else if (op === 'written') peer.finishWrite();
    else if (op === 'turn') return turn();
    else {
      const served = this.#pick(which);
      if (served !== undefined) this.#act(op, served, size);
    }
    return undefined;
  }

  #request(ends: boolean): void {
    const { peer } = this;
    if (peer.connection.streams.size >= 10) return;
    const model = new Model(peer.initialWindow);
    model.ended = ends;
    peer.models.set(this.#nextId, model);
    peer.send(request(this.#nextId, ends));
    this.#nextId += 2;
  }

  #act(op: Step[0], served: Served, size: number): void {
    const { stream } = served;
    const model = this.peer.models.get(stream.id) as Model;
    switch (op) {
      case 'respond':
        stream.respond([':status', '200', 'x-size', String(size)], false);
        break;
      case 'interim':
        stream.interim([':status', '103', 'x-size', String(size)]);
        break;
      case 'write':
        this.write(served, size);
        break;
      case 'end':
      case 'trailers':
        stream.respond([':status', '200'], false);
        stream.end(op === 'end' ? null : ['x-size', String(size)]);
        break;
      case 'resetByServer':
        stream.reset(2);
        break;
      case 'resetByClient':
        if (!model.ended || model.ends === 0) this.resetByClient(served);
        break;
      case 'stop':
        stream.stop();
        break;
      case 'upload':
        this.upload(stream.id, model, Math.min(16_384, 5 * size));
        break;
      case 'finishUpload':
        this.finishUpload(stream.id, model);
        break;
      case 'credit': {
        const some = Math.min(served.uncredited, 6 * size);
        served.uncredited -= some;
        stream.credit(some);
        break;
      }
      default:
        if (model.resets === 0) this.peer.giveWindow(stream.id, 1 + size);
    }
  }

  write(served: Served, size: number): void {
    const { stream } = served;
    if (stream.closed || stream.ending || !stream.hasHead || size === 0) return;
    const bytes = this.#bytes(size);
    served.written.push(bytes);
    served.waits = true;
    stream.write(bytes);
  }

  resetByClient({ stream }: Served): void {
    const model = this.peer.models.get(stream.id) as Model;
    if (model.resets > 0 || model.givenUp) return;
    model.givenUp = true;
    model.ended = true;
    this.peer.send(frame(reset, 0, stream.id, number(8)));
  }

  upload(id: number, model: Model, size: number): void {
    const length = Math.min(size, model.uploadLeft, this.peer.uploadLeft);
    if (model.ended || model.resets > 0 || length === 0) return;
    model.uploadLeft -= length;
    this.peer.uploadLeft -= length;
    model.uploaded += length;
    this.peer.send(frame(data, 0, id, Buffer.alloc(length)));
  }

  finishUpload(id: number, model: Model): void {
    if (model.ended || model.resets > 0) return;
    model.ended = true;
    this.peer.send(frame(data, endStream, id));
  }

  /**
   * Checks the state after the transport has written everything. Both sides must agree on the windows, and a stream may wait only because
   * of a window.
   */
  check(): void {
    const { peer } = this;
    const { outbound } = peer.connection;
    if (peer.pending || peer.result !== writeResult.done) return;
    expect(outbound.window).to.equal(peer.window);
    if (peer.window > 0) expect(outbound.idle).to.equal(true);
    for (const { stream, waits, closings } of peer.served) {
      if (stream.closed) {
        expect([closings, waits]).to.deep.equal([1, false]);
        continue;
      }
      const model = peer.models.get(stream.id) as Model;
      expect([stream.sendWindow, stream.receiveLeft]).to.deep.equal([model.window, model.uploadLeft]);
      expect(model.ends).to.equal(stream.localEnded ? 1 : 0);
      const isFree = Math.min(model.window, peer.window) > 0;
      if (isFree && stream.hasHead)
        expect([stream.queued, waits, stream.ending]).to.deep.equal([0, false, model.ends > 0]);
    }
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      await turn();
      while (this.peer.pending) this.peer.finishWrite();
    }
  }
}

const steps = fc.array(fc.tuple(fc.constantFrom(...ops), fc.nat(20), fc.nat(5000)), { minLength: 20, maxLength: 250 });

describe('HTTP/2 connection under any schedule', () => {
  it('an HTTP/2 connection sends every byte exactly once, in order and within all windows, regardless of scheduling', async function () {
    this.timeout(30_000);
    await fc.assert(
      fc.asyncProperty(steps, async (list: readonly Step[]) => {
        const schedule = new Schedule();
        const { peer } = schedule;
        for (const step of list) {
          const pending = schedule.step(step);
          if (pending === undefined) continue;
          await pending;
          schedule.check();
        }
        expect(peer.connection.over).to.equal(false);
        // With open windows, all written data must be sent.
        peer.result = writeResult.done;
        peer.setInitialWindow(10_000_000);
        peer.giveWindow(0, 100_000_000);
        await schedule.settle();
        for (const { waits, stream } of peer.served) expect([waits, stream.queued]).to.deep.equal([false, 0]);
        for (const served of peer.served) {
          const { stream } = served;
          stream.respond([':status', '200'], false);
          schedule.write(served, 100);
          stream.end(null);
          const model = peer.models.get(stream.id) as Model;
          if (!stream.closed) schedule.finishUpload(stream.id, model);
        }
        await schedule.settle();
        expect(peer.connection.over).to.equal(false);
        expect([peer.connection.streams.size, peer.connection.outbound.idle]).to.deep.equal([0, true]);
        for (const served of peer.served) {
          const model = peer.models.get(served.stream.id) as Model;
          const { ends, resets, givenUp, uploaded } = model;
          const [received, written] = [Buffer.concat(model.received), Buffer.concat(served.written)];
          expect(served.closings).to.equal(1);
          expect(ends > 0 || resets > 0 || givenUp).to.equal(true);
          expect(written.subarray(0, received.length).equals(received)).to.equal(true);
          expect(ends).to.be.at.most(1);
          if (ends === 1) expect(received.length).to.equal(written.length);
          if (resets === 0 && !givenUp)
            expect(served.body.reduce((sum, { length }) => sum + length, 0)).to.equal(uploaded);
        }
        // The server advertises consumed bytes in steps of an eighth of the window.
        expect(peer.uploadLeft).to.be.within(connectionWindow - connectionWindow / 8, connectionWindow);
      }),
      { numRuns: 200 },
    );
  });
});
