/** Streams of a connection: IDs, limits and connection-level flow control (RFC 9000 §2.1, §4). */
import { failOwner } from '@sluice/base';
import { FlowWindow } from '../streams/flow-window.ts';
import type { SegmentCount } from '../streams/receive-buffer.ts';
import { QuicStream, type StreamHost } from '../streams/stream.ts';
import { QuicError, transportError } from '../wire/error-code.ts';
import type { TransportParameters } from '../wire/transport-parameters.ts';

/** Stream limits advertised to the peer. Sizes are in bytes. */
export interface StreamOptions {
  readonly maxData: number;
  readonly maxStreamData: number;
  readonly maxStreamsBidi: number;
  readonly maxStreamsUni: number;
}

/** Callbacks to the connection that owns the stream set. */
export interface StreamSetHost {
  readonly isServer: boolean;
  /** Called when the peer has opened a stream. */
  onStream(stream: QuicStream): void;
  /** Called when data is pending. */
  wake(): void;
}

/** Streams of one type that the peer has opened. */
class PeerStreams {
  readonly size: number;
  limit: number;
  /** Index of the next stream that the peer will open. */
  opened = 0;
  #closed = 0;

  constructor(size: number) {
    this.size = size;
    this.limit = size;
  }

  /** Called when a stream has ended. Returns true if a new stream limit must be advertised. */
  closed(): boolean {
    this.#closed += 1;
    if (this.limit - this.#closed > this.size / 2) return false;
    this.limit = this.#closed + this.size;
    return true;
  }
}

export class StreamSet implements StreamHost {
  readonly #host: StreamSetHost;
  readonly #options: StreamOptions;
  readonly #streams = new Map<number, QuicStream>();
  readonly window: FlowWindow;
  readonly segments: SegmentCount = { value: 0 };
  /** Sum of the received offsets of all streams, for connection-level flow control. */
  #received = 0;
  readonly peerBidi: PeerStreams;
  readonly peerUni: PeerStreams;
  /** Stream limits set by the peer, and the numbers of streams that were opened. */
  maxBidi = 0;
  maxUni = 0;
  #openedBidi = 0;
  #openedUni = 0;
  /** Connection-level send limit set by the peer. `sent` is the number of bytes sent. */
  sendLimit = 0;
  sent = 0;
  #peer: TransportParameters | null = null;
  /** True if a new connection-level receive limit must be advertised. */
  advertiseData = false;
  advertiseBidi = false;
  advertiseUni = false;
  /** Streams with pending frames or data, in one list per urgency (RFC 9218 §4.1). `first` is the head of each list. */
  readonly #first: (QuicStream | null)[] = Array.from({ length: 8 }, () => null);
  readonly #last: (QuicStream | null)[] = Array.from({ length: 8 }, () => null);

  /** Streams whose users are waiting for free buffer space. */
  readonly #awaiting = new Set<QuicStream>();
  #ready = 0;

  constructor(host: StreamSetHost, options: StreamOptions) {
    this.#host = host;
    this.#options = options;
    this.window = new FlowWindow(options.maxData);
    this.peerBidi = new PeerStreams(options.maxStreamsBidi);
    this.peerUni = new PeerStreams(options.maxStreamsUni);
  }

  get size(): number {
    return this.#streams.size;
  }

  /** True if all data of bidirectional streams has been delivered. */
  get allSent(): boolean {
    for (const stream of this.#streams.values()) if ((stream.id & 2) === 0 && !stream.sendOver) return false;
    return true;
  }

  /** Applies the limits in the peer's transport parameters. */
  allow(peer: TransportParameters): void {
    this.#peer = peer;
    this.maxBidi = Math.max(this.maxBidi, peer.initialMaxStreamsBidi);
    this.maxUni = Math.max(this.maxUni, peer.initialMaxStreamsUni);
    this.sendLimit = Math.max(this.sendLimit, peer.initialMaxData);
    for (const stream of this.#streams.values())
      stream.sendLimit = Math.max(stream.sendLimit, this.#sendLimitOf(stream.id));
  }

  /** Opens a stream. Returns `null` if the peer's stream limit has been reached. */
  open(bidirectional: boolean): QuicStream | null {
    const index = bidirectional ? this.#openedBidi : this.#openedUni;
    if (index >= (bidirectional ? this.maxBidi : this.maxUni)) return null;
    if (bidirectional) this.#openedBidi += 1;
    else this.#openedUni += 1;
    return this.#add(index * 4 + (bidirectional ? 0 : 2) + (this.#host.isServer ? 1 : 0));
  }

  /**
   * Returns the stream that a received frame refers to, or `null` if the stream has ended. `sends` is true if the frame concerns the peer's
   * sending side.
   */
  find(id: number, sends: boolean): QuicStream | null {
    const isUni = (id & 2) !== 0;
    const isOurs = (id & 1) === (this.#host.isServer ? 1 : 0);
    if (isUni && isOurs === sends)
      throw new QuicError(transportError.streamStateError, 'received a frame for the wrong direction of a stream');
    const index = Math.floor(id / 4);
    if (isOurs) {
      if (index >= (isUni ? this.#openedUni : this.#openedBidi))
        throw new QuicError(transportError.streamStateError, 'received a frame for a stream that was not opened');
      return this.#streams.get(id) ?? null;
    }
    const peers = isUni ? this.peerUni : this.peerBidi;
    if (index >= peers.limit)
      throw new QuicError(transportError.streamLimitError, 'the peer exceeded the stream limit');
    // Opening a stream also opens all lower-numbered streams of the same type (RFC 9000 §2.1).
    while (peers.opened <= index) {
      const stream = this.#add(peers.opened * 4 + (id & 3));
      peers.opened += 1;
      this.#host.onStream(stream);
    }
    return this.#streams.get(id) ?? null;
  }

  #add(id: number): QuicStream {
    const isUni = (id & 2) !== 0;
    const isOurs = (id & 1) === (this.#host.isServer ? 1 : 0);
    const stream = new QuicStream(this, id, {
      receiveWindow: this.#options.maxStreamData,
      sendLimit: this.#sendLimitOf(id),
      canSend: !isUni || isOurs,
      canReceive: !isUni || !isOurs,
    });
    this.#streams.set(id, stream);
    return stream;
  }

  #sendLimitOf(id: number): number {
    const peer = this.#peer;
    if (peer === null) return 0;
    if ((id & 2) !== 0) return peer.initialMaxStreamDataUni;
    const isOurs = (id & 1) === (this.#host.isServer ? 1 : 0);
    return isOurs ? peer.initialMaxStreamDataBidiRemote : peer.initialMaxStreamDataBidiLocal;
  }

  /** Handles a STREAM frame. */
  onData(stream: QuicStream, offset: number, bytes: Buffer, fin: boolean): void {
    const end = offset + bytes.length;
    this.#arrive(stream, end);
    if (fin) finalSize(stream, end);
    else if (stream.finalSize >= 0 && end > stream.finalSize) throw finalSizeError();
    if (stream.receiveOver) return;
    const before = stream.in.read;
    let piece = stream.in.add(offset, bytes);
    if (piece === null && stream.in.read === before && !fin) return;
    if (piece === null) stream.deliver(null);
    while (piece !== null) {
      stream.deliver(piece);
      piece = stream.receiveOver ? null : stream.in.shift();
    }
  }

  onReset(stream: QuicStream, code: number, size: number): void {
    this.#arrive(stream, size);
    finalSize(stream, size);
    if (stream.receiveOver) return;
    const unread = size - stream.window.consumed;
    stream.resetByPeer(code);
    // For connection flow control, treat unread bytes as consumed, because they will never be read.
    if (unread > 0) this.consumed(stream, unread);
  }

  /** Checks the flow-control limits for bytes up to `end` (RFC 9000 §4.1). */
  #arrive(stream: QuicStream, end: number): void {
    if (end <= stream.in.highest) return;
    if (end > stream.window.limit)
      throw new QuicError(transportError.flowControlError, 'the peer exceeded the flow control limit of a stream');
    this.#received += end - stream.in.highest;
    if (this.#received > this.window.limit)
      throw new QuicError(
        transportError.flowControlError,
        'the peer exceeded the flow control limit of the connection',
      );
    stream.in.highest = end;
  }

  consumed(_stream: QuicStream, bytes: number): void {
    if (!this.window.consume(bytes)) return;
    this.advertiseData = true;
    this.#host.wake();
  }

  finished(stream: QuicStream): void {
    this.#awaiting.delete(stream);
    this.#streams.delete(stream.id);
    const isOurs = (stream.id & 1) === (this.#host.isServer ? 1 : 0);
    if (isOurs) return;
    const isUni = (stream.id & 2) !== 0;
    if (!(isUni ? this.peerUni : this.peerBidi).closed()) return;
    if (isUni) this.advertiseUni = true;
    else this.advertiseBidi = true;
    this.#host.wake();
  }

  ready(stream: QuicStream): void {
    if (stream.closed) return;
    if (!stream.queued) this.#append(stream);
    this.#host.wake();
  }

  awaitRoom(stream: QuicStream): void {
    this.#awaiting.add(stream);
  }

  /**
   * Notifies users of streams that have free buffer space again. Must not be called while a packet is being written. Returns true if any
   * user was notified.
   */
  notifyRoom(): boolean {
    let notified = false;
    for (const stream of this.#awaiting) {
      if (!stream.hasRoom) continue;
      this.#awaiting.delete(stream);
      notified = true;
      const { user } = stream;
      if (user === null) continue;
      try {
        user.onRoom();
      } catch (error) {
        failOwner(user, error);
      }
    }
    return notified;
  }

  #append(stream: QuicStream): void {
    this.#ready += 1;
    stream.queued = true;
    stream.next = null;
    const { urgency } = stream;
    const last = this.#last[urgency];
    if (last == null) this.#first[urgency] = stream;
    else last.next = stream;
    this.#last[urgency] = stream;
  }

  /** True if a stream has pending frames or data. */
  get hasReady(): boolean {
    return this.#ready > 0;
  }

  /** Removes and returns the next stream with pending data. Returns `null` if there is none. {@link ready} adds the stream again. */
  take(): QuicStream | null {
    for (let urgency = 0; urgency < 8; urgency++) {
      const stream = this.#first[urgency] ?? null;
      if (stream === null) continue;
      this.#first[urgency] = stream.next;
      if (stream.next === null) this.#last[urgency] = null;
      this.#ready -= 1;
      stream.queued = false;
      stream.next = null;
      return stream;
    }
    return null;
  }

  /** Puts a non-incremental stream with more data back at the front of its list. */
  putBack(stream: QuicStream): void {
    if (stream.incremental) {
      this.#append(stream);
      return;
    }
    const { urgency } = stream;
    this.#ready += 1;
    stream.queued = true;
    stream.next = this.#first[urgency] ?? null;
    this.#first[urgency] = stream;
    if (stream.next === null) this.#last[urgency] = stream;
  }

  /** Marks streams that were blocked by the connection limit as ready again. Blocked streams are kept separately until the limit increases. */
  unblock(): void {
    for (const stream of this.#streams.values())
      if (!stream.queued && (stream.pending !== 0 || stream.canSend(1))) this.#append(stream);
    this.#host.wake();
  }

  /** Closes all streams after the connection has ended. */
  closeAll(): void {
    for (const stream of [...this.#streams.values()]) stream.close();
  }
}

function finalSize(stream: QuicStream, size: number): void {
  if ((stream.finalSize >= 0 && stream.finalSize !== size) || size < stream.in.highest) throw finalSizeError();
  stream.finalSize = size;
}

function finalSizeError(): QuicError {
  return new QuicError(transportError.finalSizeError, 'the final size of a stream changed');
}
