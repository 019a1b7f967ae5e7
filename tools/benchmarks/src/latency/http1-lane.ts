/** A persistent HTTP/1.1 connection for load generation. It parses responses only to find their end. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Lane } from './schedule.ts';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Target server of a load generator's lane. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: readonly string[];
  /** Server name for TLS, or `null` for unencrypted TCP. */
  readonly serverName: string | null;
}

/**
 * Number of attempts to open the first connection, and pause in milliseconds after each attempt. Retries are necessary because Caddy resets
 * some connections during a change.
 */
const opening = { tries: 20, pause: 50 };

export async function openHttp1Lane(target: Target): Promise<Lane> {
  const lane = new Http1Lane(target);
  for (let tried = 1; ; tried++) {
    try {
      await lane.open();
      return lane;
    } catch (error) {
      if (tried === opening.tries) throw error;
      await sleep(opening.pause);
    }
  }
}

class Http1Lane implements Lane {
  readonly #target: Target;
  readonly #request: Buffer;
  #socket: Socket | null = null;
  #done: ((responded: boolean) => void) | null = null;
  #head: Buffer = Buffer.alloc(0);
  /** Remaining bytes of the response body. -1 before the head, and -2 for a chunked body. */
  #left = -1;
  #tail: Buffer = Buffer.alloc(0);

  constructor(target: Target) {
    this.#target = target;
    const named = target.headers.some((header) => header.startsWith('Host:'));
    const host = named ? [] : [`Host: ${target.serverName ?? '127.0.0.1'}:${target.port}`];
    const lines = [`GET ${target.path} HTTP/1.1`, ...host, 'User-Agent: bench/1.0', ...target.headers];
    this.#request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  }

  open(): Promise<void> {
    const { port, serverName } = this.#target;
    return new Promise((resolve, reject) => {
      const socket =
        serverName === null
          ? connect({ port, host: '127.0.0.1', noDelay: true }, resolve)
          : connectTls({ port, host: '127.0.0.1', servername: serverName, rejectUnauthorized: false }, resolve);
      this.#socket = socket;
      socket.setNoDelay(true);
      socket.on('data', (chunk: Buffer) => this.#read(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = null;
        this.#finish(false);
      });
    });
  }

  send(done: (responded: boolean) => void): void {
    this.#done = done;
    this.#left = -1;
    this.#head = this.#tail = Buffer.alloc(0);
    if (this.#socket !== null) this.#socket.write(this.#request);
    // Reconnect, because Caddy closes connections on changes. The time for reconnecting is part of the request.
    else
      this.open().then(
        () => this.#socket?.write(this.#request),
        () => this.#finish(false),
      );
  }

  #read(chunk: Buffer): void {
    const body = this.#left === -1 ? this.#readHead(chunk) : chunk;
    if (body === null) return;
    if (this.#left === -2) {
      this.#tail = Buffer.concat([this.#tail, body.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
      if (this.#tail.equals(lastChunk)) this.#finish(true);
    } else {
      this.#left -= body.length;
      if (this.#left <= 0) this.#finish(this.#left === 0);
    }
  }

  /** Parses a response head. Returns the bytes after it, or `null` while it is incomplete. */
  #readHead(chunk: Buffer): Buffer | null {
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(headEnd);
    if (end < 0) return null;
    const text = this.#head.toString('latin1', 0, end);
    if (!/^HTTP\/1\.1 [23]/.test(text)) {
      this.#finish(false);
      return null;
    }
    const length = /\ncontent-length: *(\d+)/i.exec(text);
    this.#left = length === null ? -2 : Number(length[1]);
    return this.#head.subarray(end + 4);
  }

  #finish(responded: boolean): void {
    const done = this.#done;
    this.#done = null;
    done?.(responded);
  }
}
