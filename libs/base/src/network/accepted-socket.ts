/** Socket class for accepted connections, with direct reads into a shared buffer. */
import { Socket, type SocketConstructorOpts } from 'node:net';
import { connectionOf, failOwner } from '../guard/guard.ts';
import type { LayeredSocket, SocketLayer, WriteDone, WritePart } from './socket-layer.ts';

/** Read buffer that all sockets of a thread share. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Node's internal handle of a connection, passed as the `handle` option of `net.Socket`. Node supported this option before documenting it. */
export type ConnectionHandle = object;

/** Internal socket methods that streams call but that Node's types do not declare. */
interface Inherited {
  _write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void;
  _writev(parts: readonly WritePart[], done: WriteDone): void;
  _final(done: WriteDone): void;
}

const inherited = Socket.prototype as unknown as Inherited;

/** Returns the file descriptor of a connection. Returns -1 if the descriptor is unknown or the connection is closed. */
export function descriptorOf(socket: Socket): number {
  const { connectionDescriptor } = socket as Socket & { readonly connectionDescriptor?: number };
  return connectionDescriptor ?? handleDescriptorOf(socket);
}

function handleDescriptorOf(socket: Socket): number {
  return (socket as Socket & { readonly _handle?: { readonly fd?: number } | null })._handle?.fd ?? -1;
}

/** Socket that reads into a buffer shared by all sockets of the thread. Uses the `onread` option of `net.Socket`. */
export class AcceptedSocket extends Socket implements LayeredSocket {
  /**
   * Callback that receives the bytes from 0 up to, but not including, `end`. The bytes are overwritten after the callback returns. Without
   * a callback, the socket is an ordinary stream.
   */
  directReader: ((bytes: Buffer, end: number) => void) | null = null;
  layer: SocketLayer | null = null;

  constructor(handle: ConnectionHandle) {
    const onread = { buffer: shared, callback: (size: number) => this.#onRead(size) };
    super({ handle, allowHalfOpen: true, readable: true, writable: true, onread } as SocketConstructorOpts);
  }

  /** File descriptor of the connection. -1 if a socket layer, such as TLS, transforms the written bytes, or if the connection is closed. */
  get descriptor(): number {
    return this.layer === null ? handleDescriptorOf(this) : -1;
  }

  get connectionDescriptor(): number {
    return handleDescriptorOf(this);
  }

  /** Guard these listeners, because they may throw. Some of them belong to other code, such as listener wrappers. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Return false to pause the source until the consumer reads from the stream or resumes it. */
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
