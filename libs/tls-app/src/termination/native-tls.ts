/** TLS for one connection with the OpenSSL bindings, implemented as a layer of its socket. */
import {
  connectionOf,
  failOwner,
  type Guarded,
  type LayeredSocket,
  type SocketLayer,
  type WriteDone,
  type WritePart,
} from '@sluice/base';
import { maxEncrypted, plainBytes, StreamSession, textBytes, type StreamContext } from '@sluice/native';

/** Maximum size of a read, in bytes. The session buffers have room for one read of this size. */
const maxPiece = 64 * 1024;
/** Maximum size of a write that may wait for the end of a read, in bytes. Also the maximum total size of all such writes. */
const maxHeld = 16 * 1024;

/**
 * The connection whose output is held until its current read is processed. A session ticket, a response and the closing alert can therefore
 * be sent in one write. All sessions of a thread share an output buffer, so another session that produces output first sends the held
 * output.
 */
let holder: NativeTls | null = null;

function hold(connection: NativeTls): void {
  holder = connection;
}

/** Receives the result of a TLS handshake. */
export interface NativeTlsEvents extends Guarded {
  /** Called when the handshake is complete. Returns false to reject the connection. */
  onSecure(): boolean;
  onHandshakeFailed(error: Error): void;
}

export class NativeTls implements SocketLayer {
  readonly session: StreamSession;
  readonly #socket: LayeredSocket;
  readonly #events: NativeTlsEvents;
  /** File descriptor of the connection, or -1 after it was closed. */
  #descriptor: number;
  #isSecure = false;
  #isClosed = false;
  /** True if further input is ignored. The session has failed, or the client has closed its side. */
  #isDeaf = false;
  /** Number of writes that the operating system has not accepted yet. Later output must wait for them. */
  #waiting = 0;
  /** Size of the output that waits for the end of a read. */
  #held = 0;
  /** Called when the closing alert is sent. */
  #ending: WriteDone | null = null;

  constructor(socket: LayeredSocket, context: StreamContext, staple: Uint8Array | null, events: NativeTlsEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#descriptor = socket.connectionDescriptor;
    this.session = new StreamSession(context, staple);
  }

  /** Attaches the TLS layer to the socket. `first` contains bytes that were already read from the connection. */
  start(first: Buffer): void {
    const socket = this.#socket;
    socket.layer = this;
    if (socket.destroyed) return this.close();
    // Bytes that arrived during the certificate lookup are also encrypted. Do not leave them for code that reads plaintext.
    const rest = socket.read() as Buffer | null;
    const bytes = rest === null ? first : Buffer.concat([first, rest]);
    for (let from = 0; from < bytes.length && !this.#isClosed; from += maxPiece) {
      const piece = bytes.subarray(from, from + maxPiece);
      this.received(piece, piece.length);
    }
  }

  /** Handles received bytes. Called by the event loop, so this method must not throw. */
  received(bytes: Buffer, end: number): boolean {
    if (this.#isClosed || this.#isDeaf) return true;
    try {
      NativeTls.#sendHeld();
      hold(this);
      try {
        return this.#take(bytes, end);
      } finally {
        this.#release();
      }
    } catch (error) {
      failOwner(this.#isSecure ? connectionOf(this.#socket) : this.#events, error);
      return true;
    }
  }

  /** Sends the held output of the connection that holds it. Called before another session's output or a large write is sent. */
  static #sendHeld(): void {
    if (holder !== null) holder.#release();
  }

  #release(): void {
    if (holder === this) holder = null;
    if (this.#isClosed) return;
    this.#held = 0;
    const done = this.#ending;
    this.#ending = null;
    if (done === null) this.#flush();
    else this.#sent(done);
  }

  /**
   * Reports whether output of `size` bytes is held until the end of the current read. If false, the output buffer is empty afterwards. While
   * earlier output waits for the client, no output is held, because held output counts as sent and would not slow down the writer.
   */
  #holds(size: number): boolean {
    if (holder === this && this.#waiting === 0 && (this.#held += size) <= maxHeld) return true;
    NativeTls.#sendHeld();
    return false;
  }

  #take(bytes: Buffer, end: number): boolean {
    const { session } = this;
    session.feed(bytes, 0, end);
    const isNew = !this.#isSecure;
    if (isNew && !session.handshake()) {
      this.#release();
      this.#isDeaf = session.failure !== null || session.ended;
      if (session.failure !== null) this.#events.onHandshakeFailed(session.failure);
      else if (session.ended) this.#socket.destroy();
      return true;
    }
    // Decrypt all input before other code runs, because other sessions use the same buffers.
    const size = session.read();
    this.#isDeaf = session.failure !== null || session.ended;
    if (isNew) {
      this.#isSecure = true;
      if (!this.#events.onSecure()) {
        this.#isDeaf = true;
        return true;
      }
    }
    return this.#deliver(size);
  }

  #deliver(size: number): boolean {
    const socket = this.#socket;
    let goesOn = true;
    if (size > 0 && !this.#isClosed) goesOn = socket.deliver(plainBytes(), size);
    if (this.#isClosed || !this.#isDeaf) return goesOn;
    if (this.session.failure !== null) socket.destroy();
    else socket.push(null);
    return goesOn;
  }

  /** Sends TLS output that does not belong to a write, such as handshake messages. */
  #flush(): void {
    const rest = this.session.sendTo(this.#target);
    if (rest === null || this.#isClosed) return;
    this.#waiting++;
    this.#socket.writeBelow(rest, () => {
      this.#waiting--;
    });
  }

  /** Descriptor if output may be sent directly, or -1 if not. */
  get #target(): number {
    return this.#waiting === 0 ? this.#descriptor : -1;
  }

  write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void {
    if (this.#isClosed) return done(closedError());
    if (typeof data === 'string') {
      if (data === '') return done();
      if (data.length * 3 > maxEncrypted) return this.#send(Buffer.from(data, encoding), 0, done);
      const isHeld = this.#holds(data.length);
      this.session.writeText(textBytes().write(data, 0, encoding));
      return this.#written(isHeld, done);
    }
    if (data.length === 0) this.#socket.writeBelow(data, done);
    else if (data.length > maxHeld || !this.#holds(data.length)) this.#send(data, 0, done);
    else {
      this.session.write(data, 0, data.length);
      this.#written(true, done);
    }
  }

  writeAll(parts: readonly WritePart[], done: WriteDone): void {
    if (this.#isClosed) return done(closedError());
    this.#sendParts(parts, 0, done);
  }

  #written(isHeld: boolean, done: WriteDone): void {
    if (isHeld && this.session.failure === null) done();
    else this.#sent(done);
  }

  /** Joins small parts, and sends the resulting parts one after the other. */
  #sendParts(parts: readonly WritePart[], first: number, done: WriteDone): void {
    if (holder !== this) NativeTls.#sendHeld();
    const text = textBytes();
    let size = 0;
    let next = first;
    for (; next < parts.length; next++) {
      const { chunk, encoding } = parts[next] as WritePart;
      const most = typeof chunk === 'string' ? 3 * chunk.length : chunk.length;
      if (size + most > maxEncrypted) break;
      size += typeof chunk === 'string' ? text.write(chunk, size, encoding) : chunk.copy(text, size);
    }
    const goOn: WriteDone = (error) => {
      if (error != null || next === parts.length) done(error);
      else if (this.#isClosed) done(closedError());
      else this.#sendParts(parts, next, done);
    };
    if (next > first && size === 0) goOn();
    else if (next > first) {
      const isHeld = this.#holds(size);
      this.session.writeText(size);
      this.#written(isHeld, goOn);
    } else {
      next++;
      const { chunk, encoding } = parts[first] as WritePart;
      this.#send(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, 0, goOn);
    }
  }

  /** Encrypts and sends `bytes`, beginning at `start`. Sends one part at a time, as the operating system accepts them. */
  #send(bytes: Buffer, start: number, done: WriteDone): void {
    NativeTls.#sendHeld();
    let from = start;
    while (from < bytes.length) {
      const to = Math.min(bytes.length, from + maxEncrypted);
      this.session.write(bytes, from, to);
      from = to;
      const rest = this.session.sendTo(this.#target);
      if (this.session.failure !== null) return done(this.session.failure);
      if (rest !== null) {
        const after = from;
        return this.#later(rest, (error) => {
          if (error != null) done(error);
          else if (this.#isClosed && after < bytes.length) done(closedError());
          else this.#send(bytes, after, done);
        });
      }
    }
    done();
  }

  #sent(done: WriteDone): void {
    const rest = this.session.sendTo(this.#target);
    if (this.session.failure !== null) done(this.session.failure);
    else if (rest === null) done();
    else this.#later(rest, done);
  }

  #later(rest: Buffer, done: WriteDone): void {
    this.#waiting++;
    this.#socket.writeBelow(rest, (error) => {
      this.#waiting--;
      done(error);
    });
  }

  end(done: WriteDone): void {
    if (this.#isClosed || !this.#isSecure || this.session.failure !== null) return done();
    if (holder !== this) NativeTls.#sendHeld();
    this.session.end();
    if (holder === this) this.#ending = done;
    else this.#sent(done);
  }

  close(): void {
    if (this.#isClosed) return;
    if (holder === this) {
      holder = null;
      this.session.sendTo(this.#target);
    }
    this.#isClosed = true;
    this.#descriptor = -1;
    this.session.free();
  }
}

function closedError(): Error {
  return Object.assign(new Error('the socket is closed'), { code: 'EPIPE' });
}
