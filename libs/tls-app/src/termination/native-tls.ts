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

/** Size of a read, in bytes. The session buffers have room for one read. */
const maxPiece = 64 * 1024;

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
    // Bytes that arrived during the certificate lookup are also encrypted. They must not reach readers that expect plaintext.
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
      return this.#take(bytes, end);
    } catch (error) {
      failOwner(this.#isSecure ? connectionOf(this.#socket) : this.#events, error);
      return true;
    }
  }

  #take(bytes: Buffer, end: number): boolean {
    const { session } = this;
    session.feed(bytes, 0, end);
    const isNew = !this.#isSecure;
    if (isNew && !session.handshake()) {
      this.#flush();
      this.#isDeaf = session.failure !== null || session.ended;
      if (session.failure !== null) this.#events.onHandshakeFailed(session.failure);
      else if (session.ended) this.#socket.destroy();
      return true;
    }
    // Decrypt all input before other code runs, because all sessions share the same buffers.
    const size = session.read();
    this.#flush();
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

  /** File descriptor if output may be sent directly, otherwise -1. */
  get #target(): number {
    return this.#waiting === 0 ? this.#descriptor : -1;
  }

  write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void {
    if (this.#isClosed) return done(closedError());
    if (typeof data === 'string') {
      if (data === '') return done();
      if (data.length * 3 > maxEncrypted) return this.#send(Buffer.from(data, encoding), 0, done);
      this.session.writeText(textBytes().write(data, 0, encoding));
      return this.#sent(done);
    }
    if (data.length === 0) this.#socket.writeBelow(data, done);
    else this.#send(data, 0, done);
  }

  writeAll(parts: readonly WritePart[], done: WriteDone): void {
    if (this.#isClosed) return done(closedError());
    this.#sendParts(parts, 0, done);
  }

  /** Sends the parts of a write in order. Small parts are joined. */
  #sendParts(parts: readonly WritePart[], first: number, done: WriteDone): void {
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
      this.session.writeText(size);
      this.#sent(goOn);
    } else {
      next++;
      const { chunk, encoding } = parts[first] as WritePart;
      this.#send(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, 0, goOn);
    }
  }

  /** Encrypts and sends `bytes` from index `start`. Proceeds piece by piece, as the operating system accepts the output. */
  #send(bytes: Buffer, start: number, done: WriteDone): void {
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
    this.session.end();
    this.#sent(done);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#descriptor = -1;
    this.session.free();
  }
}

function closedError(): Error {
  return Object.assign(new Error('the socket is closed'), { code: 'EPIPE' });
}
