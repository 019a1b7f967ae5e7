/** A system UDP socket for a QUIC endpoint. Transfers many datagrams per system call, with ECN marks. */
import { reportFault, itemAt } from '@sluice/base';
import type { DatagramTaker, UdpPeer, UdpSocket } from '@sluice/native';
import type { DatagramRun, Endpoint } from '@sluice/quic';
import type { DatagramPort } from './bound-port.ts';

export class NativeDatagramSocket implements DatagramPort, DatagramTaker {
  /** Socket used for sending. All sockets receive. */
  readonly #socket: UdpSocket;
  readonly raw: readonly UdpSocket[];
  #endpoint: Endpoint | null = null;
  #now = 0;

  /** Uses one or more sockets that are bound to the same address. */
  constructor(sockets: readonly UdpSocket[]) {
    this.raw = sockets;
    this.#socket = itemAt(sockets, 0);
    for (const socket of sockets) socket.taker = this;
  }

  get port(): number {
    return this.#socket.port;
  }

  get local(): string {
    return this.#socket.host;
  }

  get memory(): Buffer {
    return this.#socket.memory;
  }

  start(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
    for (const socket of this.raw) socket.reading = true;
  }

  stop(): void {
    for (const socket of this.raw) socket.reading = false;
  }

  onDatagram(bytes: Buffer, { start, end }: { start: number; end: number }, from: UdpPeer, codepoint: number): void {
    if (this.#now === 0) this.#now = performance.now();
    this.#endpoint?.receive(bytes, start, end, { address: from, codepoint, now: this.#now });
  }

  onBatch(): void {
    this.#now = 0;
    this.#endpoint?.flush();
  }

  peer(host: string, port: number): UdpPeer | null {
    return this.#socket.peer(host, port);
  }

  accept(datagram: Buffer, from: { host: string; port: number; local: string }, codepoint: number): void {
    const peer = this.#socket.peer(from.host, from.port, from.local);
    if (peer === null) return;
    this.#endpoint?.receive(datagram, 0, datagram.length, { address: peer, codepoint, now: performance.now() });
  }

  send(run: DatagramRun): void {
    this.#socket.send(run);
  }

  /** Handles an exception raised by a datagram that doesn't belong to any known connection. */
  fault(error: unknown): void {
    reportFault({ part: 'connection', error });
  }

  close(): Promise<void> {
    for (const socket of this.raw) socket.close();
    return Promise.resolve();
  }
}
