/** The upstream of both servers. It records requests and responds with the bytes of the pair identified by the path. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMessage, type Message } from './message.ts';
import { numberIn, type Pair } from './pair.ts';

/** Pause between two pieces of a response, in milliseconds. */
const pause = 15;

/** A raw TCP upstream on a loopback port. */
export class RawUpstream {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Map<number, Pair>();
  readonly #seen = new Map<number, Message[]>();

  constructor() {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#serve(socket));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Registers a pair so that the upstream can respond to its requests. */
  expect(pair: Pair): void {
    this.#pairs.set(pair.number, pair);
  }

  /** Returns the messages received for a pair since the last call. */
  take(pair: Pair): readonly Message[] {
    const seen = this.#seen.get(pair.number) ?? [];
    this.#seen.delete(pair.number);
    return seen;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #serve(socket: Socket): void {
    let bytes = Buffer.alloc(0);
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const message = readMessage(bytes, 0, 'request', false);
        if (message === null || !message.complete) return;
        bytes = bytes.subarray(message.end);
        this.#respond(socket, message);
      }
    });
  }

  #respond(socket: Socket, message: Message): void {
    const number = numberIn(message.start);
    const pair = number === null ? undefined : this.#pairs.get(number);
    if (number === null || pair === undefined) {
      socket.destroy();
      return;
    }
    const seen = this.#seen.get(number);
    if (seen === undefined) this.#seen.set(number, [message]);
    else seen.push(message);
    void send(socket, pair);
  }
}

async function send(socket: Socket, { response }: Pair): Promise<void> {
  for (const [index, piece] of response.pieces.entries()) {
    if (index > 0) await sleep(pause);
    socket.write(piece, 'latin1');
  }
  if (response.then === 'end') socket.end();
  if (response.then !== 'reset') return;
  // Lets the previous data reach the peer before the connection is reset.
  await sleep(pause);
  socket.resetAndDestroy();
}
