/** A direct socket over a connection that the system has accepted. */
import { Socket, type SocketConstructorOpts } from 'node:net';
import { connectionOf, failOwner } from '@sluice/base';
import { descriptorOf } from './descriptors.ts';
import type { DirectReader, DirectSocket } from '../engine/index.ts';

/** All sockets of a thread read into this, one after the other. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Node's own handle of a connection; its constructor option is older than its documentation. */
export type ConnectionHandle = object;

/** Reads into a buffer of the thread, by the `onread` option of `net.Socket`. */
export class AcceptedSocket extends Socket implements DirectSocket {
  directReader: DirectReader | null = null;

  constructor(handle: ConnectionHandle) {
    const onread = { buffer: shared, callback: (size: number) => this.#onRead(size) };
    super({ handle, allowHalfOpen: true, readable: true, writable: true, onread } as SocketConstructorOpts);
  }

  get descriptor(): number {
    return descriptorOf(this);
  }

  /** Listeners that others have added, as listener wrappers do, may throw, too. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Returning false stops reading, until the stream is read or resumed. */
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
