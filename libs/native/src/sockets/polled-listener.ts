/**
 * Accepts connections from a listening TCP socket that libuv has opened. The connections have no libuv handles.
 *
 * libuv has no function to stop accepting, but its epoll descriptor is public. Removing the socket from that epoll set stops libuv. If
 * libuv added the socket again, both would accept connections, which is harmless.
 */
import { guarded, taskOf } from '@sluice/base';
import { Block } from '../memory.ts';
import { eventLoop } from '../library.ts';
import { system } from './functions.ts';
import { polledSystem } from './polled-functions.ts';
import { connectionSet, eventSize, listenerSet, ready, type Polled } from './poll-set.ts';
import { PolledSocket, type AcceptedFrom } from './polled-socket.ts';
import { addressSize, family, hostText, ipv6Text } from './socket-address.ts';
import { setKeepAlive, setNoDelay } from './socket-settings.ts';

const task = taskOf('http');
const nonBlockingCloseOnExec = 0x80800;
const addition = 1;
const removal = 2;
/** Maximum number of connections accepted per turn. */
const maxAccepted = 64;
/**
 * Accepting pauses after this number of consecutive event loop turns in which no connection could be accepted, for example because the
 * process has no file descriptors left.
 */
const maxFailures = 100;
const pause = 100;
/**
 * Maximum number of attempts to stop libuv, one per event loop turn. One attempt may not be enough, because libuv adds a new socket to its
 * set in its next turn.
 */
const attempts = 10;

interface Address {
  readonly host: string;
  readonly port: number;
  readonly family: 'IPv4' | 'IPv6';
}

const places = { size: 32, lengthAt: 28 } as const;
let place: Block | null = null;

/** Returns memory for an address structure, followed by its length. */
function addressPlace(): Block {
  place ??= new Block(places.size).pin();
  place.bytes.writeUInt32LE(addressSize, places.lengthAt);
  return place;
}

function addressOf({ bytes }: Block): Address {
  const isSix = bytes.readUInt16LE(0) === family.ipv6;
  const host = isSix ? ipv6Text(bytes) : hostText(bytes, 4, 4);
  return { host, port: bytes.readUInt16BE(2), family: host.includes(':') ? 'IPv6' : 'IPv4' };
}

/** Returns the local address of a socket. */
function localAddressOf(descriptor: number): Address {
  const block = addressPlace();
  system().getsockname(descriptor, block.at(0, addressSize), block.at(places.lengthAt, 4));
  return addressOf(block);
}

/** Adds a descriptor to libuv's epoll set, with the same event as libuv does. Fails without effect if the set contains the descriptor. */
function addToLoop(descriptor: number): void {
  const { uv_backend_fd, epoll_ctl } = polledSystem();
  const block = addressPlace();
  const { bytes } = block;
  bytes.writeUInt32LE(ready.readable, 0);
  bytes.writeBigUInt64LE(BigInt(descriptor), eventSize - 8);
  epoll_ctl(uv_backend_fd(eventLoop()), addition, descriptor, block.at(0, eventSize));
}

export class PolledListener implements Polled {
  readonly connectionDescriptor: number;
  readonly #accept: (socket: PolledSocket) => void;
  /** Address of the listening socket; `null` if it accepts connections to several addresses. */
  readonly #local: Address | null;
  /** -1 until the keep-alive time is set, because an inherited socket may have any keep-alive time. */
  #keepAlive = -1;
  #slot: number;
  /** True if the accept queue may contain connections from before the last change of the options. They have inherited the old options. */
  #hasOldOptions = true;
  #failures = 0;
  #resume: NodeJS.Timeout | null = null;

  /** Reports whether a listening socket is a TCP socket. A descriptor that the process inherited may be a different kind of socket. */
  static supports(descriptor: number): boolean {
    const block = addressPlace();
    if (system().getsockname(descriptor, block.at(0, addressSize), block.at(places.lengthAt, 4)) !== 0) return false;
    const kind = block.bytes.readUInt16LE(0);
    return kind === family.ipv4 || kind === family.ipv6;
  }

  /** The caller keeps ownership of the descriptor, and must call {@link stop} before closing it. */
  constructor(descriptor: number, accept: (socket: PolledSocket) => void) {
    // Create the set first. Otherwise, accepted connections would be lost.
    connectionSet();
    this.connectionDescriptor = descriptor;
    this.#accept = accept;
    const local = localAddressOf(descriptor);
    this.#local = local.host === '0.0.0.0' || local.host === '::' ? null : local;
    setNoDelay(descriptor);
    this.#slot = listenerSet().add(this, ready.readable);
    if (this.#slot < 0) throw new Error('cannot watch a listening socket');
    this.#stopLibuv(attempts);
  }

  /** Descriptors of the thread's epoll sets. */
  get sets(): { readonly connections: number; readonly listeners: number } {
    return { connections: connectionSet().descriptor, listeners: listenerSet().descriptor };
  }

  /** Number of seconds without data after which accepted connections send keep-alive probes; 0 disables probes. */
  set keepAlive(seconds: number) {
    if (seconds === this.#keepAlive || this.#slot < 0) return;
    this.#keepAlive = seconds;
    setKeepAlive(this.connectionDescriptor, seconds);
    this.#hasOldOptions = true;
  }

  #stopLibuv(left: number): void {
    setImmediate(
      guarded(task, () => {
        if (this.#slot < 0 || left === 0) return;
        const { uv_backend_fd, epoll_ctl } = polledSystem();
        const isRemoved = epoll_ctl(uv_backend_fd(eventLoop()), removal, this.connectionDescriptor, 0n) === 0;
        if (!isRemoved) this.#stopLibuv(left - 1);
      }),
    );
  }

  onReady(): void {
    for (let i = 0; i < maxAccepted && this.#slot >= 0; i++) {
      const block = addressPlace();
      const descriptor = polledSystem().accept4(
        this.connectionDescriptor,
        block.at(0, addressSize),
        block.at(places.lengthAt, 4),
        nonBlockingCloseOnExec,
      );
      if (descriptor < 0) return this.#noted(i > 0);
      const remote = addressOf(block);
      if (this.#hasOldOptions) this.#setOptions(descriptor);
      this.#accept(new PolledSocket(descriptor, this.#from(descriptor, remote)));
    }
    this.#failures = 0;
  }

  #setOptions(descriptor: number): void {
    setNoDelay(descriptor);
    if (this.#keepAlive >= 0) setKeepAlive(descriptor, this.#keepAlive);
  }

  #from(descriptor: number, remote: Address): AcceptedFrom {
    const local = this.#local ?? localAddressOf(descriptor);
    return {
      remoteAddress: remote.host,
      remotePort: remote.port,
      localAddress: local.host,
      localPort: local.port,
      remoteFamily: remote.family,
      keepAlive: Math.max(0, this.#keepAlive),
    };
  }

  /** True if the accept queue is not empty. A failed call to `accept4` may also have other reasons, such as too many open files. */
  get #hasQueue(): boolean {
    const block = addressPlace();
    block.bytes.writeInt32LE(this.connectionDescriptor, 0);
    block.bytes.writeInt32LE(ready.readable, 4);
    return system().poll(block.at(0, 8), 1n, 0) !== 0;
  }

  /** Other threads may accept on the same socket, so a turn without a connection is not a failure by itself. */
  #noted(hasAccepted: boolean): void {
    if (this.#hasOldOptions) this.#hasOldOptions = this.#hasQueue;
    this.#failures = hasAccepted ? 0 : this.#failures + 1;
    if (this.#failures < maxFailures) return;
    this.#failures = 0;
    listenerSet().change(this, this.#slot, 0);
    this.#resume = setTimeout(
      guarded(task, () => {
        if (this.#slot >= 0) listenerSet().change(this, this.#slot, ready.readable);
      }),
      pause,
    ).unref();
  }

  /** Stops accepting. libuv accepts the next connections, or none. Idempotent. */
  stop(next: 'libuv' | 'none' = 'none'): void {
    if (this.#slot < 0) return;
    listenerSet().remove(this, this.#slot);
    this.#slot = -1;
    if (next === 'libuv') addToLoop(this.connectionDescriptor);
    if (this.#resume !== null) clearTimeout(this.#resume);
  }
}
