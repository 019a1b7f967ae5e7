/** Opens long-lived connections: upgraded connections with a message every second, and event streams. */
import { connect, type Socket } from 'node:net';

/** Interval between messages on an upgraded connection, in milliseconds. */
const frameInterval = 1000;
/** Size of a message in bytes. */
const frameSize = 12;

export interface StreamResult {
  readonly opened: number;
  /** Number of connections that were closed early. */
  readonly closed: number;
  /** Number of messages that were not echoed, or number of missing events. */
  readonly lost: number;
  readonly received: number;
}

/** A set of upgraded connections. The upstream must echo each message completely and in order. */
export class Tunnels {
  readonly #tunnels: Tunnel[];
  #timer: NodeJS.Timeout | null = null;

  constructor(count: number, port: number, path: string) {
    this.#tunnels = Array.from({ length: count }, (_, index) => new Tunnel(port, path, index));
  }

  /** Resolves when all connections are open. */
  async open(): Promise<void> {
    // Opens connections in batches because the listen backlog is limited.
    for (let at = 0; at < this.#tunnels.length; at += 50)
      await Promise.all(this.#tunnels.slice(at, at + 50).map((tunnel) => tunnel.opened));
    const count = this.#tunnels.length;
    let next = 0;
    let due = 0;
    const began = performance.now();
    this.#timer = setInterval(() => {
      const target = ((performance.now() - began) * count) / frameInterval;
      for (; due < target; due++) this.#tunnels[next++ % count]?.send();
    }, 5);
  }

  async stop(): Promise<StreamResult> {
    if (this.#timer !== null) clearInterval(this.#timer);
    const end = performance.now() + 3000;
    while (performance.now() < end && this.#tunnels.some((tunnel) => !tunnel.gone && tunnel.lost > 0))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const result = {
      opened: this.#tunnels.length,
      closed: this.#tunnels.filter(({ gone }) => gone).length,
      lost: this.#tunnels.reduce((sum, { lost }) => sum + lost, 0),
      received: this.#tunnels.reduce((sum, { received }) => sum + received, 0),
    };
    for (const tunnel of this.#tunnels) tunnel.close();
    return result;
  }
}

class Tunnel {
  readonly opened: Promise<void>;
  received = 0;
  gone = false;
  readonly #socket: Socket;
  readonly #name: string;
  #sent = 0;
  #wrong = 0;
  #rest = '';
  #isOpen = false;

  constructor(port: number, path: string, index: number) {
    this.#name = String(index).padStart(4, '0').slice(-4);
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: soak.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c29ha3NvYWtzb2Frc29haw==\r\n\r\n`,
    );
    this.opened = new Promise((resolve, reject) => {
      this.#socket.on('error', () => this.#socket.destroy());
      this.#socket.on('close', () => {
        this.gone = true;
        reject(new Error('a tunnel was closed before it opened'));
      });
      this.#socket.on('data', (text: string) => this.#take(text, resolve));
    });
  }

  get lost(): number {
    return this.#sent - this.received + this.#wrong;
  }

  send(): void {
    if (this.gone) return;
    this.#socket.write(this.#frame(this.#sent++));
  }

  #frame(number: number): string {
    return `${this.#name}${String(number).padStart(frameSize - 4, '0')}`;
  }

  #take(text: string, onOpen: () => void): void {
    this.#rest += text;
    if (!this.#isOpen) {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!this.#rest.startsWith('HTTP/1.1 101')) {
        this.#socket.destroy();
        return;
      }
      this.#isOpen = true;
      this.#rest = this.#rest.slice(end + 4);
      onOpen();
    }
    while (this.#rest.length >= frameSize) {
      if (this.#rest.slice(0, frameSize) !== this.#frame(this.received)) this.#wrong++;
      this.received++;
      this.#rest = this.#rest.slice(frameSize);
    }
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }
}

export class EventStreams {
  readonly #sockets: Socket[] = [];
  readonly #opened: Promise<void>[] = [];
  #closed = 0;
  #received = 0;
  #lost = 0;

  constructor(count: number, port: number, path: string) {
    for (let i = 0; i < count; i++) this.#opened.push(this.#open(port, path));
  }

  #open(port: number, path: string): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#sockets.push(socket);
    socket.setEncoding('latin1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: soak.test\r\nAccept: text/event-stream\r\n\r\n`);
    let expected = 0;
    let rest = '';
    return new Promise((resolve) => {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => void this.#closed++);
      socket.on('data', (text: string) => {
        rest += text;
        for (let found = nextEvent(rest); found !== null; found = nextEvent(rest)) {
          this.#received++;
          this.#lost += found.number - expected;
          expected = found.number + 1;
          rest = rest.slice(found.end);
        }
        resolve();
      });
    });
  }

  /** Resolves when every stream has received data. */
  async open(): Promise<void> {
    await Promise.all(this.#opened);
  }

  stop(): StreamResult {
    const result = { opened: this.#sockets.length, closed: this.#closed, lost: this.#lost, received: this.#received };
    for (const socket of this.#sockets) socket.removeAllListeners('close').destroy();
    return result;
  }
}

function nextEvent(text: string): { number: number; end: number } | null {
  const start = text.indexOf('data: ');
  const end = start < 0 ? -1 : text.indexOf('\n\n', start);
  return end < 0 ? null : { number: Number(text.slice(start + 6, end)), end: end + 2 };
}
