/**
 * Output of an HTTP/2 connection. Streams register when they have data to send. At the end of the read callback or the event loop turn, all
 * pending data is written at once from the thread's buffer. No data is added during a write. The memory use of a slow client is therefore
 * limited to the data that its streams have queued.
 */
import { connectionOf, failOwner, itemAt } from '@sluice/base';
import { headersFrame, splitBlock, takePieces } from './compose.ts';
import { defaultFrameSize, defaultWindow, frameFlag, frameHeaderSize, frameType } from './frame.ts';
import { HpackEncoder } from './hpack/encoder.ts';
import { Output } from './output.ts';
import { noHeads, queue, type Http2Stream } from './stream.ts';
import { StreamQueue } from './stream-queue.ts';
import { writeResult, type ConnectionTransport } from './transport.ts';

/** Output size at which no more data is added, in bytes. Larger writes use more memory without any benefit. */
const enough = 64 * 1024;
/** Output buffer shared by the thread's connections. Its size is the limit above plus one frame of each type that may still be added. */
const output = new Output(enough + 3 * (defaultFrameSize + frameHeaderSize));
/** Maximum size of queued control frames, in bytes. Clients that cause control frames without reading them are disconnected at this limit. */
const maxControl = 16 * 1024;
/** Maximum size of a control frame that Sluice sends, in bytes. */
const controlFrame = 64;

/** Callbacks that the output of a connection invokes. */
export interface OutboundWatch {
  /** Called when the last frame of a stream has been added to the output. */
  sentLast(stream: Http2Stream): void;
  /** Called if too many control frames in response to the peer (such as acknowledgments of PING and SETTINGS) are queued because the peer does not read. */
  flooded(): void;
}

/** Output of one HTTP/2 connection. */
export class Outbound {
  readonly encoder: HpackEncoder = new HpackEncoder();
  /** Send window of the connection, in bytes. */
  window = defaultWindow;
  /** True while a write is in progress. */
  busy = false;
  /** True during a read. The output is flushed at the end of the read. */
  held = false;
  /**
   * Number of frames without effect, such as WINDOW_UPDATE, that the peer may send in response to the output. Covers the output since this
   * counter was last read.
   */
  earned = 0;
  readonly #transport: ConnectionTransport;
  readonly #watch: OutboundWatch;
  readonly #control = new Output(256);
  readonly #heads = new StreamQueue(queue.heads);
  readonly #bodies = new StreamQueue(queue.bodies);
  /** Streams whose buffers have become empty. */
  readonly #emptied: Http2Stream[] = [];
  #scheduled = false;
  #ending = false;
  #over = false;

  constructor(transport: ConnectionTransport, watch: OutboundWatch) {
    this.#transport = transport;
    this.#watch = watch;
  }

  /** True if the transport has written all data that can be sent. */
  get idle(): boolean {
    return !this.busy && this.#control.end === 0 && this.#heads.first === null && this.#bodies.first === null;
  }

  /** Starts a control frame. The caller writes the payload to the returned output. Control frames precede the frames of all streams. */
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

  /** Registers a stream that has data to send. */
  ready(stream: Http2Stream): void {
    if (stream.queue === queue.heads || this.#over) return;
    const isHead = stream.heads.length > 0 || (stream.queued === 0 && stream.ending);
    if (isHead) {
      // A stream in the body queue sends all of its data from that queue.
      if (stream.queue === queue.bodies) return;
      this.#heads.add(stream, false);
    } else {
      if (stream.queue !== queue.none || stream.queued === 0 || stream.sendWindow <= 0 || !stream.hasHead) return;
      this.#bodies.add(stream, false);
    }
    this.#schedule();
  }

  /** Called when the transport completes the pending write. */
  written(): void {
    this.busy = false;
    this.flush();
  }

  flush(): void {
    while (!this.busy && !this.#over) {
      output.end = 0;
      this.#compose();
      if (output.end === 0) break;
      const result = this.#transport.write(output.bytes, output.end);
      output.clear(result === writeResult.kept);
      this.busy = result !== writeResult.done;
      this.#notifyEmptied();
    }
    if (this.#ending && !this.#over && this.idle) this.#end();
  }

  end(): void {
    this.#ending = true;
    this.#schedule();
  }

  /** Removes a closed stream from the queues. */
  forget(stream: Http2Stream): void {
    if (stream.queue === queue.heads) this.#heads.remove(stream);
    else if (stream.queue === queue.bodies) this.#bodies.remove(stream);
  }

  /** Discards all state after the connection was lost. */
  drop(): void {
    this.#over = true;
    this.#heads.clear();
    this.#bodies.clear();
  }

  /** Sends the queued output and closes the connection. Discards the data of waiting streams. */
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

  /** Handles an exception during a flush by closing the connection. */
  fault(error: unknown): void {
    failOwner(connectionOf(this.#transport), error);
  }

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
    // Send frames caused by the end of a stream, such as GOAWAY, in the same write. Clients receive both or neither.
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
      this.#block(stream, itemAt(heads, i), ends);
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

  /** Ends a stream whose body has been sent. */
  #composeEnd(stream: Http2Stream): void {
    if (stream.trailers !== null) {
      this.#block(stream, stream.trailers, true);
      return;
    }
    output.reserve(frameHeaderSize);
    output.frame(0, frameType.data, frameFlag.endStream, stream.id);
    this.#sentLast(stream);
  }

  /** Adds a body frame to the output. Chunks that were written together are sent together. */
  #composeBody(stream: Http2Stream): void {
    const length = Math.min(stream.queued, defaultFrameSize, stream.sendWindow, this.window);
    if (length <= 0) return;
    output.reserve(frameHeaderSize + length);
    const empties = length === stream.queued;
    const ends = empties && stream.ending && stream.trailers === null;
    // If the client window is small, data is split into more frames, and each frame requires WINDOW_UPDATE frames.
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

  /** Writes a field block in as many frames as needed (RFC 9113 §4.3). */
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

  #notifyEmptied(): void {
    const emptied = this.#emptied;
    for (const { owner, closed, queued } of emptied) {
      // The owner of another stream may have written to this stream by now.
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
 * Clients send WINDOW_UPDATE at least every 4 KiB, for both the stream and the connection. Some clients also send a PING per frame.
 * `earnedByAll` is the number of client frames allowed for a sent frame that empties its stream. `earnedShift` allows one client frame per
 * 256 sent bytes.
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
