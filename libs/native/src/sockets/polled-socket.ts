/**
 * An accepted TCP connection without a libuv handle. Reads and writes its descriptor directly when the thread's epoll set reports events.
 * Has the interface of a direct socket; see `AcceptedSocket` in `@sluice/base`.
 */
import { Socket, type SetKeepAliveOptions } from 'node:net';
import {
  connectionOf,
  failOwner,
  type LayeredSocket,
  type SocketLayer,
  type WriteDone,
  type WritePart,
} from '@sluice/base';
import { addressIn, Block } from '../memory.ts';
import { system } from './functions.ts';
import { polledSystem } from './polled-functions.ts';
import { connectionSet, ready, type Polled } from './poll-set.ts';
import { setKeepAlive } from './socket-settings.ts';

const readSize = 64 * 1024;
const readLength = BigInt(readSize);
const directionOfWrites = 1;

/** Bytes from this thread's most recent read. */
interface ReadBuffer {
  readonly bytes: Buffer;
  readonly address: bigint;
}

let readBuffer: ReadBuffer | null = null;

function sharedBuffer(): ReadBuffer {
  if (readBuffer !== null) return readBuffer;
  const block = new Block(readSize).pin();
  return (readBuffer = { bytes: block.bytes.subarray(0, readSize), address: block.at(0, readSize) });
}

/** Bytes that the system has not accepted yet. */
interface Pending {
  readonly bytes: Buffer;
  from: number;
  readonly done: WriteDone;
}

/** Addresses of a connection, and settings that it inherits from its listening socket. */
export interface AcceptedFrom {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteFamily: 'IPv4' | 'IPv6';
  /** Seconds of inactivity before keep-alive probes; 0 if disabled. */
  readonly keepAlive: number;
}

export class PolledSocket extends Socket implements LayeredSocket, Polled {
  directReader: ((bytes: Buffer, end: number) => void) | null = null;
  layer: SocketLayer | null = null;
  #descriptor: number;
  readonly #from: AcceptedFrom;
  readonly #slot: number;
  /** Events for which the epoll set watches the descriptor. */
  #watched: number = ready.readable;
  #isReading = true;
  #inputEnded = false;
  #pending: Pending[] = [];

  // Override Node's accessors, because they read the missing handle. TypeScript declares them as properties, which accessors can't
  // override.
  static {
    for (const name of ['remoteAddress', 'remotePort', 'remoteFamily', 'localAddress', 'localPort'] as const)
      Object.defineProperty(this.prototype, name, {
        get(this: PolledSocket) {
          return this.#from[name];
        },
      });
    Object.defineProperty(this.prototype, 'pending', { value: false });
  }

  /** Takes ownership of a non-blocking descriptor. */
  constructor(descriptor: number, from: AcceptedFrom) {
    super({ allowHalfOpen: true });
    this.#descriptor = descriptor;
    this.#from = from;
    this.#slot = connectionSet().add(this, this.#watched);
    if (this.#slot < 0) this.destroy(socketError('epoll_ctl', 'ENOMEM'));
  }

  /** File descriptor of the connection; -1 if the connection is closed or if a layer changes the written bytes. */
  get descriptor(): number {
    return this.layer === null ? this.#descriptor : -1;
  }

  get connectionDescriptor(): number {
    return this.#descriptor;
  }

  /** Number of bytes that the system has not accepted yet. */
  get queuedBytes(): number {
    return this.#pending.reduce((sum, { bytes, from }) => sum + bytes.length - from, 0);
  }

  override setKeepAlive(enable: boolean | SetKeepAliveOptions = false, delay = 0): this {
    if (typeof enable === 'object') return this.setKeepAlive(enable.enable, enable.initialDelay);
    const seconds = enable ? Math.floor(delay / 1000) : 0;
    if (this.#descriptor >= 0 && seconds !== this.#from.keepAlive) setKeepAlive(this.#descriptor, seconds);
    return this;
  }

  /** The option is inherited from the listening socket. */
  override setNoDelay(): this {
    return this;
  }

  override ref(): this {
    return this;
  }

  override unref(): this {
    return this;
  }

  /** Listeners added by other code, such as listener wrappers, may also throw. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  // Reading

  onReady(events: number): void {
    const receives = this.#isReading && !this.#inputEnded && (events & ~ready.writable) !== 0;
    const sends = this.#pending.length > 0 && (events & ~ready.readable) !== 0;
    if (receives) this.#receive(events);
    if (sends && this.#pending.length > 0) this.#sendPending(events);
    if (!receives && !sends) this.#ignore();
  }

  /**
   * Stops watching for events that are no longer of interest. Called only when such an event occurs, because most connections close before
   * one occurs.
   */
  #ignore(): void {
    const wanted = this.#wanted;
    if (wanted === this.#watched) return;
    this.#watched = wanted;
    connectionSet().change(this, this.#slot, wanted);
  }

  #receive(events: number): void {
    const { bytes, address } = sharedBuffer();
    const size = polledSystem().read(this.#descriptor, address, readLength);
    if (size > 0) {
      const { layer } = this;
      const goesOn = layer === null ? this.deliver(bytes, size) : layer.received(bytes, size);
      if (!goesOn) this.#setReading(false);
    } else if (size === 0) {
      this.#inputEnded = true;
      this.push(null);
      this.read(0);
    } else if ((events & ready.failed) !== 0) this.destroy(socketError('read', 'ECONNRESET'));
  }

  deliver(bytes: Buffer, end: number): boolean {
    const reader = this.directReader;
    if (reader === null) return this.push(Buffer.from(bytes.subarray(0, end)));
    try {
      reader(bytes, end);
    } catch (error) {
      failOwner(connectionOf(this), error);
    }
    return true;
  }

  #setReading(isReading: boolean): void {
    if (this.#isReading === isReading) return;
    this.#isReading = isReading;
    this.#watch();
  }

  override _read(): void {
    this.#setReading(true);
  }

  override read(size?: number): unknown {
    this.#setReading(true);
    return super.read(size);
  }

  override pause(): this {
    this.#setReading(false);
    return super.pause();
  }

  override resume(): this {
    this.#setReading(true);
    return super.resume();
  }

  get #wanted(): number {
    return (
      (this.#isReading && !this.#inputEnded ? ready.readable : 0) | (this.#pending.length > 0 ? ready.writable : 0)
    );
  }

  #watch(): void {
    const wanted = this.#wanted;
    if (this.#descriptor < 0 || (wanted & ~this.#watched) === 0) return;
    this.#watched = wanted;
    connectionSet().change(this, this.#slot, wanted);
  }

  // Writing

  writeBelow(bytes: Buffer, done: WriteDone): void {
    if (this.#descriptor < 0) return done(socketError('write', 'EPIPE'));
    if (this.#pending.length > 0) {
      this.#pending.push({ bytes, from: 0, done });
      return;
    }
    const sent = this.#send(bytes, 0);
    if (sent === bytes.length) return done();
    // An empty write fails only if the connection has failed.
    if (bytes.length === 0) return done(socketError('write', 'EPIPE'));
    this.#pending.push({ bytes, from: Math.max(0, sent), done });
    this.#watch();
  }

  #send(bytes: Buffer, from: number): number {
    const size = bytes.length - from;
    const address = size === 0 ? sharedBuffer().address : addressIn(bytes, from, size);
    return polledSystem().write(this.#descriptor, address, BigInt(size));
  }

  #sendPending(events: number): void {
    for (;;) {
      const [first] = this.#pending;
      if (first === undefined) return;
      const sent = this.#send(first.bytes, first.from);
      if (sent >= 0) first.from += sent;
      else if ((events & (ready.failed | ready.hungUp)) !== 0) {
        this.destroy(socketError('write', 'EPIPE'));
        return;
      }
      if (first.from < first.bytes.length) return;
      this.#pending.shift();
      first.done();
      if (this.#descriptor < 0) return;
    }
  }

  override _write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void {
    if (this.layer === null) this.writeBelow(typeof data === 'string' ? Buffer.from(data, encoding) : data, done);
    else this.layer.write(data, encoding, done);
  }

  override _writev(parts: readonly WritePart[], done: WriteDone): void {
    if (this.layer !== null) return this.layer.writeAll(parts, done);
    const buffers = parts.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    this.writeBelow(Buffer.concat(buffers), done);
  }

  override _final(done: WriteDone): void {
    const finish: WriteDone = (error) => {
      if (error == null && this.#descriptor >= 0) polledSystem().shutdown(this.#descriptor, directionOfWrites);
      done(error);
    };
    if (this.layer === null) finish();
    else this.layer.end(finish);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const descriptor = this.#descriptor;
    if (descriptor >= 0) {
      this.layer?.close();
      if (this.#slot >= 0) connectionSet().forget(this.#slot);
      this.#descriptor = -1;
      system().close(descriptor);
    }
    const pending = this.#pending;
    this.#pending = [];
    super._destroy(error, done);
    const reason = error ?? socketError('write', 'ECANCELED');
    for (const each of pending) each.done(reason);
  }
}

function socketError(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
}
