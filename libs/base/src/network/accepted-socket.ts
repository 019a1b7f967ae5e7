/** A direct socket for an accepted connection. */
import { Socket, type SocketConstructorOpts } from 'node:net';
import { connectionOf, failOwner } from '../guard/guard.ts';
import type { LayeredSocket, SocketLayer, WriteDone, WritePart } from './socket-layer.ts';

/** Read buffer shared by all sockets of a thread. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Node's connection handle. The constructor option existed before its documentation. */
export type ConnectionHandle = object;

/** Parts of a socket that streams call, and that Node's types do not declare as such. */
interface Inherited {
  _write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void;
  _writev(parts: readonly WritePart[], done: WriteDone): void;
  _final(done: WriteDone): void;
}

const inherited = Socket.prototype as unknown as Inherited;

/** Returns the descriptor of a connection; -1 if unknown or closed. */
export function descriptorOf(socket: Socket): number {
  return (socket as Socket & { readonly _handle?: { readonly fd?: number } | null })._handle?.fd ?? -1;
}

/** Reads into a buffer shared by the thread, using the `onread` option of `net.Socket`. */
export class AcceptedSocket extends Socket implements LayeredSocket {
  /** Receives `bytes[0..end)`, which are overwritten after the function returns. Without a reader, the socket is an ordinary stream. */
  directReader: ((bytes: Buffer, end: number) => void) | null = null;
  layer: SocketLayer | null = null;

  constructor(handle: ConnectionHandle) {
    const onread = { buffer: shared, callback: (size: number) => this.#onRead(size) };
    super({ handle, allowHalfOpen: true, readable: true, writable: true, onread } as SocketConstructorOpts);
  }

  /** Descriptor of a connection that sends written bytes unchanged, which a layer doesn't; -1 if closed. */
  get descriptor(): number {
    return this.layer === null ? descriptorOf(this) : -1;
  }

  get connectionDescriptor(): number {
    return descriptorOf(this);
  }

  /** Listeners added by other code, for example listener wrappers, may throw too. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Returning false stops reading until the stream is read or resumed. */
  #onRead(size: number): boolean {
    const { layer } = this;
    return layer === null ? this.deliver(shared, size) : layer.received(shared, size);
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

  writeBelow(bytes: Buffer, done: WriteDone): void {
    inherited._write.call(this, bytes, 'buffer' as BufferEncoding, done);
  }

  override _write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void {
    if (this.layer === null) inherited._write.call(this, data, encoding, done);
    else this.layer.write(data, encoding, done);
  }

  override _writev(parts: readonly WritePart[], done: WriteDone): void {
    if (this.layer === null) inherited._writev.call(this, parts, done);
    else this.layer.writeAll(parts, done);
  }

  override _final(done: WriteDone): void {
    if (this.layer === null) return inherited._final.call(this, done);
    this.layer.end((error) => {
      if (error == null) inherited._final.call(this, done);
      else done(error);
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.layer?.close();
    super._destroy(error, done);
  }
}
