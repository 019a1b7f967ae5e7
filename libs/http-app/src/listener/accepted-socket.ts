/** A direct socket for an accepted connection. */
import { Socket, type SocketConstructorOpts } from 'node:net';
import { connectionOf, failOwner } from '@sluice/base';
import { descriptorOf } from './descriptors.ts';
import type { DirectReader, DirectSocket } from '../engine/index.ts';

/** Read buffer shared by all sockets of a thread. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Node's connection handle. The constructor option existed before its documentation. */
export type ConnectionHandle = object;

/** Reads into a buffer shared by the thread, using the `onread` option of `net.Socket`. */
export class AcceptedSocket extends Socket implements DirectSocket {
  directReader: DirectReader | null = null;

  constructor(handle: ConnectionHandle) {
    const onread = { buffer: shared, callback: (size: number) => this.#onRead(size) };
    super({ handle, allowHalfOpen: true, readable: true, writable: true, onread } as SocketConstructorOpts);
  }

  get descriptor(): number {
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
    const reader = this.directReader;
    if (reader === null) return this.push(Buffer.from(shared.subarray(0, size)));
    try {
      reader(shared, size);
    } catch (error) {
      failOwner(connectionOf(this), error);
    }
    return true;
  }
}
