/** Sends as many requests as possible over plain sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from '../faults/traffic.ts';

/** Sends requests to a site until stopped. Responses are only counted, not verified. */
export class QuickTraffic {
  readonly #port: number;
  readonly #clients: Promise<void>[];
  #heads: readonly string[] = [];
  #tally: Tally = emptyTally();
  #isStopped = false;

  constructor(port: number, connections: number) {
    this.#port = port;
    this.#clients = Array.from({ length: connections }, () => this.#client());
  }

  /** Sets the requests to send from now on, in the format `METHOD PATH [FIELD:VALUE]`. */
  send(host: string, requests: readonly string[]): void {
    this.#heads = requests.map((text) => {
      const [method = '', path = '', field = ''] = text.split(' ');
      const colon = field.indexOf(':');
      const more = field === '' ? '' : `${field.slice(0, colon)}: ${field.slice(colon + 1).replace('_', ' ')}\r\n`;
      const body = method === 'POST' ? 'Content-Length: 4\r\n' : '';
      return `${method} ${path} HTTP/1.1\r\nHost: ${host}:${this.#port}\r\n${more}${body}X-User: @\r\n\r\n${method === 'POST' ? 'body' : ''}`;
    });
    this.#tally = emptyTally();
  }

  count(): Tally {
    return (this.#tally = emptyTally());
  }

  get requests(): number {
    return this.#tally.requests;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #client(): Promise<void> {
    while (!this.#isStopped) {
      const socket = connect(this.#port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect').catch(() => sleep(100));
      while (!this.#isStopped && !socket.destroyed && !socket.readableEnded) {
        const head = this.#heads[Math.floor(Math.random() * this.#heads.length)];
        if (head === undefined) {
          await sleep(50);
          continue;
        }
        const text = head.replace('#', String(Math.floor(Math.random() * 1000))).replace('@', String(Math.random()));
        await exchanged(socket, text);
        this.#tally.requests++;
        await sleep(2);
      }
      socket.destroy();
    }
  }
}

function emptyTally(): Tally {
  return { requests: 0, hurt: 0, by: new Map() };
}

/** Resolves when the response is complete or the connection is closed. */
function exchanged(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve) => {
    let received = '';
    const done = (): void => {
      socket.off('data', onData).off('close', done);
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      if (isComplete(received)) done();
    };
    socket.on('data', onData).on('close', done);
    if (socket.destroyed) done();
    else socket.write(request, 'latin1');
  });
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return text.endsWith('0\r\n\r\n');
  return true;
}
