/**
 * What a connection sends. Streams only say that they have something; at the end of the read callback, or of the turn, all
 * that is ready is composed into the buffer of the thread and written once. While a write is on its way nothing is
 * composed, so that a client that reads slowly costs no more than what its streams hold.
 */
import { connectionOf, failOwner } from '@sluice/base';
import { headersFrame, splitBlock, takePieces } from './compose.ts';
import { defaultFrameSize, defaultWindow, frameFlag, frameHeaderSize, frameType } from './frame.ts';
import { HpackEncoder } from './hpack/encoder.ts';
import { Output } from './output.ts';
import { noHeads, queue, type Http2Stream } from './stream.ts';
import { StreamQueue } from './stream-queue.ts';
import { writeResult, type ConnectionTransport } from './transport.ts';

/** Composing ends when this much is there, in bytes: larger writes cost memory and bring nothing. */
const enough = 64 * 1024;
/** The buffer of a thread: what is enough, and a frame of each kind after it. */
const output = new Output(enough + 3 * (defaultFrameSize + frameHeaderSize));
/** Control frames that may wait, in bytes: who asks for more and reads nothing is cut. */
const maxControl = 16 * 1024;
/** No control frame of ours is longer. */
const controlFrame = 64;

/** Is told what comes of it. */
export interface OutboundWatch {
  /** The last frame of a stream was composed. */
  sentLast(stream: Http2Stream): void;
  /** The peer asks for control frames and does not read them. */
  flooded(): void;
}

/** Output of one connection. */
export class Outbound {
  readonly encoder: HpackEncoder = new HpackEncoder();
  /** What the connection may send, in bytes. */
  window = defaultWindow;
  /** Whether a write is on its way. */
  busy = false;
  /** Set while the connection reads: it flushes at the end. */
  held = false;
  /** Frames that bring nothing by themselves, and may come in return for what was sent since this was read last. */
  earned = 0;
  readonly #transport: ConnectionTransport;
  readonly #watch: OutboundWatch;
  readonly #control = new Output(256);
  readonly #heads = new StreamQueue(queue.heads);
  readonly #bodies = new StreamQueue(queue.bodies);
  /** Streams that are empty again. */
  readonly #emptied: Http2Stream[] = [];
  #scheduled = false;
  #ending = false;
  #over = false;

  constructor(transport: ConnectionTransport, watch: OutboundWatch) {
    this.#transport = transport;
    this.#watch = watch;
  }

  /** Whether everything that can be sent was given to the transport, and it has taken it. */
  get idle(): boolean {
    return !this.busy && this.#control.end === 0 && this.#heads.first === null && this.#bodies.first === null;
  }

  /** A control frame; its payload is written to what is returned. It leaves before all streams. */
  control(length: number, type: number, flags: number, stream: number): Output {
    const control = this.#control;
    if (control.end > maxControl) this.#watch.flooded();
    else {
      control.reserve(controlFrame);
      control.frame(length, type, flags, stream);
      this.#schedule();
      return control;
    }
    control.clear(false);
    return control;
  }

  /** A stream has something to send. */
  ready(stream: Http2Stream): void {
    if (stream.queue === queue.heads || this.#over) return;
    const isHead = stream.heads.length > 0 || (stream.queued === 0 && stream.ending);
    if (isHead) {
      // One that waits to send its body says all of it there.
      if (stream.queue === queue.bodies) return;
      this.#heads.add(stream, false);
    } else {
      if (stream.queue !== queue.none || stream.queued === 0 || stream.sendWindow <= 0 || !stream.hasHead) return;
      this.#bodies.add(stream, false);
    }
    this.#schedule();
  }

  /** The write that was on its way is done. */
  written(): void {
    this.busy = false;
    this.flush();
  }

  /** Writes what is ready, now. */
  flush(): void {
    while (!this.busy && !this.#over) {
      output.end = 0;
      this.#compose();
      if (output.end === 0) break;
      const result = this.#transport.write(output.bytes, output.end);
      output.clear(result === writeResult.kept);
      this.busy = result !== writeResult.done;
      this.#tellEmptied();
    }
    if (this.#ending && !this.#over && this.idle) this.#end();
  }

  /** Ends our side when everything was sent. */
  end(): void {
    this.#ending = true;
    this.#schedule();
  }

  /** A stream is closed: it does not wait any more. */
  forget(stream: Http2Stream): void {
    if (stream.queue === queue.heads) this.#heads.remove(stream);
    else if (stream.queue === queue.bodies) this.#bodies.remove(stream);
  }

  /** Forgets everything: the connection is lost. */
  drop(): void {
    this.#over = true;
    this.#heads.clear();
    this.#bodies.clear();
  }

  /** Sends what is there, and ends without what streams still wait to send. */
  endNow(): void {
    this.#heads.clear();
    this.#bodies.clear();
    this.#ending = true;
    this.flush();
  }

  #end(): void {
    this.#over = true;
    this.#transport.end();
  }

  #schedule(): void {
    if (this.held || this.#scheduled || this.busy) return;
    this.#scheduled = true;
    process.nextTick(flushLater, this);
  }

  /** What the turn was to send has thrown: the connection ends. */
  fault(error: unknown): void {
    failOwner(connectionOf(this.#transport), error);
  }

  /** Called by the turn. */
  flushScheduled(): void {
    this.#scheduled = false;
    this.flush();
  }

  #compose(): void {
    this.#composeControl();
    for (let stream = this.#heads.first; stream !== null && output.end < enough; stream = this.#heads.first) {
      this.#heads.shift();
      this.#composeHeads(stream);
    }
    for (
      let stream = this.#bodies.first;
      stream !== null && output.end < enough && this.window > 0;
      stream = this.#bodies.first
    ) {
      this.#bodies.shift();
      this.#composeBody(stream);
    }
    // What the end of a stream has brought, such as GOAWAY, leaves in the same write: clients read both or none.
    this.#composeControl();
  }

  #composeControl(): void {
    const control = this.#control;
    if (control.end === 0) return;
    output.reserve(control.end);
    output.copy(control.bytes, 0, control.end);
    control.clear(false);
  }

  #composeHeads(stream: Http2Stream): void {
    const { heads } = stream;
    const last = heads.length - 1;
    for (let i = 0; i <= last; i++) {
      const ends = i === last && stream.hasHead && stream.ending && stream.queued === 0 && stream.trailers === null;
      this.#block(stream, heads[i] as readonly string[], ends);
    }
    if (last >= 0) stream.heads = noHeads;
    if (stream.localEnded) return;
    if (stream.queued === 0 && !stream.ending) this.#emptied.push(stream);
    else if (stream.queued > 0) {
      if (!stream.hasHead) return;
      if (this.window > 0) this.#composeBody(stream);
      else if (stream.sendWindow > 0) this.#bodies.add(stream, false);
    } else if (stream.ending) this.#composeEnd(stream);
  }

  /** The end of a stream whose body was sent. */
  #composeEnd(stream: Http2Stream): void {
    if (stream.trailers !== null) {
      this.#block(stream, stream.trailers, true);
      return;
    }
    output.reserve(frameHeaderSize);
    output.frame(0, frameType.data, frameFlag.endStream, stream.id);
    this.#sentLast(stream);
  }

  /** A frame of the body; what came together leaves together. */
  #composeBody(stream: Http2Stream): void {
    const length = Math.min(stream.queued, defaultFrameSize, stream.sendWindow, this.window);
    if (length <= 0) return;
    output.reserve(frameHeaderSize + length);
    const empties = length === stream.queued;
    const ends = empties && stream.ending && stream.trailers === null;
    // What the client's small window has cut off was asked for by frames that bring nothing.
    this.earned += (empties ? earnedByAll : 0) + (length >>> earnedShift);
    output.frame(length, frameType.data, ends ? frameFlag.endStream : 0, stream.id);
    takePieces(output, stream, length);
    stream.sendWindow -= length;
    this.window -= length;
    if (stream.queued > 0) {
      if (stream.sendWindow > 0) this.#bodies.add(stream, !stream.incremental);
      return;
    }
    this.#emptied.push(stream);
    if (ends) this.#sentLast(stream);
    else if (stream.ending) this.#composeEnd(stream);
  }

  /** Fields, in as many frames as they need (RFC 9113 §4.3). */
  #block(stream: Http2Stream, fields: readonly string[], ends: boolean): void {
    output.reserve(frameHeaderSize + HpackEncoder.sizeOf(fields));
    const start = output.end;
    output.end += frameHeaderSize;
    this.encoder.encode(output, fields);
    const length = output.end - start - frameHeaderSize;
    const flags = ends ? frameFlag.endStream : 0;
    if (length <= defaultFrameSize)
      output.frameAt(start, length, headersFrame | flags | frameFlag.endHeaders, stream.id);
    else splitBlock(output, start, flags, stream.id);
    if (ends) this.#sentLast(stream);
  }

  #sentLast(stream: Http2Stream): void {
    stream.localEnded = true;
    this.#watch.sentLast(stream);
  }

  #tellEmptied(): void {
    const emptied = this.#emptied;
    for (let i = 0; i < emptied.length; i++) {
      const { owner, closed, queued } = emptied[i] as Http2Stream;
      // The owner of another stream may have written to this one.
      if (owner === null || closed || queued > 0) continue;
      try {
        owner.onSent();
      } catch (error) {
        failOwner(owner, error);
      }
    }
    emptied.length = 0;
  }
}

/**
 * Clients give windows back in pieces of 4 KiB and less, on the stream and on the connection, and some send a PING for each
 * frame that they get: what that takes for a frame that sends all that there is, and for each 256 bytes.
 */
const earnedByAll = 8;
const earnedShift = 8;

function flushLater(outbound: Outbound): void {
  try {
    outbound.flushScheduled();
  } catch (error) {
    outbound.fault(error);
  }
}
