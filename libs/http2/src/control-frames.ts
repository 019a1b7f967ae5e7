/** Handles connection-level frames: settings, pings, priorities, windows (RFC 9113 §6.3 to §6.9). */
import { errorCode } from './error-code.ts';
import type { Frame } from './frame-reader.ts';
import { defaultWindow, frameFlag, frameType, largestWindow, readUint32 } from './frame.ts';
import type { Outbound } from './outbound.ts';
import { setPriority } from './priority.ts';
import { applySettings, type PeerSettings } from './settings.ts';
import type { StreamTable } from './stream-table.ts';
import type { Http2Stream } from './stream.ts';

export interface ControlHost {
  readonly streams: StreamTable;
  readonly outbound: Outbound;
  /** Highest stream ID that the client has used. */
  readonly lastId: number;
  /** Handles a protocol violation in a stream. Returns a connection error code, or `noError`. */
  violates(stream: Http2Stream, code: number): number;
  /** Called when the client sends GOAWAY to close the connection gracefully. */
  finishShutdown(): void;
}

/** Handles control frames. Each method returns a connection error code, or `noError`. */
export class ControlFrames {
  /** True after the client has sent SETTINGS, which must be its first frame (RFC 9113 §3.4). */
  begun = false;
  readonly #host: ControlHost;
  readonly #peer: PeerSettings = { initialWindow: defaultWindow };

  constructor(host: ControlHost) {
    this.#host = host;
  }

  /** Initial send window of new streams, in bytes. */
  get initialWindow(): number {
    return this.#peer.initialWindow;
  }

  take(frame: Frame): number {
    switch (frame.type) {
      case frameType.windowUpdate:
        return this.#windowUpdate(frame);
      case frameType.settings:
        return this.#settings(frame);
      case frameType.ping:
        return this.#ping(frame);
      case frameType.priority:
        return this.#priority(frame);
      case frameType.priorityUpdate:
        return this.#priorityUpdate(frame);
      case frameType.goAway:
        return this.#goAway(frame);
      case frameType.pushPromise:
        return errorCode.protocolError;
      default:
        return errorCode.noError;
    }
  }

  #windowUpdate({ stream: id, bytes, at, end }: Frame): number {
    if (end - at !== 4) return errorCode.frameSizeError;
    const increment = readUint32(bytes, at) & largestWindow;
    const { outbound, streams, lastId } = this.#host;
    if (id === 0) {
      if (increment === 0) return errorCode.protocolError;
      outbound.window += increment;
      return outbound.window <= largestWindow ? errorCode.noError : errorCode.flowControlError;
    }
    if (id > lastId) return errorCode.protocolError;
    const stream = streams.find(id);
    if (stream === null) return errorCode.noError;
    if (increment === 0) return this.#host.violates(stream, errorCode.protocolError);
    stream.sendWindow += increment;
    if (stream.sendWindow > largestWindow) return this.#host.violates(stream, errorCode.flowControlError);
    outbound.ready(stream);
    return errorCode.noError;
  }

  #settings(frame: Frame): number {
    const { stream, flags, at, end } = frame;
    if (stream !== 0) return errorCode.protocolError;
    if ((flags & frameFlag.ack) !== 0) return end === at ? errorCode.noError : errorCode.frameSizeError;
    this.begun = true;
    const { outbound } = this.#host;
    const before = this.#peer.initialWindow;
    const code = applySettings(frame, this.#peer, outbound.encoder);
    if (code !== errorCode.noError) return code;
    const more = this.#peer.initialWindow - before;
    if (more !== 0 && !this.#moveWindows(more)) return errorCode.flowControlError;
    outbound.control(0, frameType.settings, frameFlag.ack, 0);
    return errorCode.noError;
  }

  #moveWindows(more: number): boolean {
    const { outbound, streams } = this.#host;
    for (const stream of streams) {
      stream.sendWindow += more;
      if (stream.sendWindow > largestWindow) return false;
      outbound.ready(stream);
    }
    return true;
  }

  #ping({ stream, flags, bytes, at, end }: Frame): number {
    if (stream !== 0) return errorCode.protocolError;
    if (end - at !== 8) return errorCode.frameSizeError;
    if ((flags & frameFlag.ack) === 0) {
      const pong = this.#host.outbound.control(8, frameType.ping, frameFlag.ack, 0);
      pong.uint32(readUint32(bytes, at));
      pong.uint32(readUint32(bytes, at + 4));
    }
    return errorCode.noError;
  }

  #priority({ stream, bytes, at, end }: Frame): number {
    if (stream === 0) return errorCode.protocolError;
    const isWrong = end - at !== 5;
    if (!isWrong && (readUint32(bytes, at) & largestWindow) !== stream) return errorCode.noError;
    const code = isWrong ? errorCode.frameSizeError : errorCode.protocolError;
    const open = this.#host.streams.find(stream);
    if (open !== null) return this.#host.violates(open, code);
    // Report a malformed frame as a connection error, because the stream may already be closed.
    return isWrong || stream > this.#host.lastId ? code : errorCode.noError;
  }

  /** Handles PRIORITY_UPDATE (RFC 9218 §7.1). The RFC allows a server to ignore the frame for streams that are not open. */
  #priorityUpdate({ stream, bytes, at, end }: Frame): number {
    if (stream !== 0) return errorCode.protocolError;
    if (end - at < 4) return errorCode.frameSizeError;
    const found = this.#host.streams.find(readUint32(bytes, at) & largestWindow);
    if (found !== null) setPriority(found, bytes.toString('latin1', at + 4, Math.min(end, at + maxPriorityLength)));
    return errorCode.noError;
  }

  #goAway({ stream, at, end }: Frame): number {
    if (stream !== 0) return errorCode.protocolError;
    if (end - at < 8) return errorCode.frameSizeError;
    this.#host.finishShutdown();
    return errorCode.noError;
  }
}

/** Maximum number of bytes to read from a PRIORITY_UPDATE frame. */
const maxPriorityLength = 68;
