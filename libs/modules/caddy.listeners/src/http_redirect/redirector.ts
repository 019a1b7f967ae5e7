/** Detects connections that begin with a plain HTTP request and redirects their clients to HTTPS. */
import type { Socket } from 'node:net';
import { Peek, undecided, type FirstBytes, type NextSocket, type SocketFacts } from '@sluice/http-app';
import { headOf, locationOf, looksLikeHttp } from './request.ts';

/** Maximum time to wait for the client to close the connection after the response, in milliseconds. */
const lingerTime = 2000;

/** Redirects plain HTTP requests. All other connections are passed on. */
export class Redirector implements FirstBytes {
  readonly #socket: Socket;
  readonly #facts: SocketFacts;
  readonly #next: NextSocket;
  readonly #maxHeaderBytes: number;
  #plain = false;
  #responded = false;

  constructor(socket: Socket, facts: SocketFacts, next: NextSocket, maxHeaderBytes: number) {
    this.#socket = socket;
    this.#facts = facts;
    this.#next = next;
    this.#maxHeaderBytes = maxHeaderBytes;
  }

  start(): void {
    new Peek(this.#socket, this).start();
  }

  look(bytes: Buffer, end: number): number {
    if (!this.#plain) {
      const plain = looksLikeHttp(bytes, end);
      if (plain === null) return undecided;
      if (!plain) return 0;
      this.#plain = true;
    }
    const head = headOf(bytes, Math.min(end, this.#maxHeaderBytes));
    if (head !== null) {
      this.#respond(head);
      return end;
    }
    if (end >= this.#maxHeaderBytes) this.#socket.destroy();
    return undecided;
  }

  decided(): void {
    if (this.#responded) this.#linger();
    else this.#next(this.#socket, this.#facts);
  }

  #respond(head: string): void {
    this.#responded = true;
    const location = locationOf(head);
    const first =
      location === null
        ? 'HTTP/1.1 400 Bad Request\r\n'
        : `HTTP/1.1 308 Permanent Redirect\r\nLocation: ${location}\r\n`;
    this.#socket.end(`${first}Content-Length: 0\r\nConnection: close\r\n\r\n`, 'latin1');
  }

  /**
   * Discards input until the client closes the connection. Closing the connection earlier could cause a reset, and the client could lose
   * the response.
   */
  #linger(): void {
    const socket = this.#socket;
    const timer = setTimeout(() => socket.destroy(), lingerTime);
    socket.once('close', () => clearTimeout(timer));
    socket.resume();
  }
}
