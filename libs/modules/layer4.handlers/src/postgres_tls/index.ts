/** `layer4.handlers.postgres_tls`: accepts the TLS request (SSLRequest) of PostgreSQL clients. */
import type { Socket } from 'node:net';
import { Peek, undecided, type FirstBytes } from '@sluice/http-app';
import { layer4Handlers, type Layer4Connection, type Layer4Next } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';
import { limitTime } from '../common/time-limit.ts';

/** PostgreSQL's SSLRequest message: length 8 and code 80877103 (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const accepted = 'S';

export const postgresTlsModule = defineModule(layer4Handlers, {
  name: 'postgres_tls',
  help: "Accepts a PostgreSQL client's TLS request (SSLRequest), so that a following `tls` handler can terminate TLS. Other connections are passed to the next handler unchanged.",
  config: options({}),
  provision: () => ({
    handle(connection, next) {
      const { socket } = connection;
      new Peek(socket as Socket, new SslRequest(connection, next)).start();
    },
  }),
});

/** Waits for a PostgreSQL client's SSLRequest message. */
class SslRequest implements FirstBytes {
  readonly #connection: Layer4Connection;
  readonly #next: Layer4Next;
  readonly #stop: () => void;

  constructor(connection: Layer4Connection, next: Layer4Next) {
    this.#connection = connection;
    this.#next = next;
    this.#stop = limitTime(connection, 'PostgreSQL TLS request');
  }

  look(bytes: Buffer, end: number): number {
    const length = Math.min(end, sslRequest.length);
    if (bytes.compare(sslRequest, 0, length, 0, length) !== 0) return 0;
    if (end < sslRequest.length) return undecided;
    // Bytes sent before the response would be treated as if they had been encrypted (CVE-2021-23222).
    if (end > sslRequest.length) {
      this.#connection.warn('PostgreSQL client sent data before receiving the response to its TLS request');
      this.#connection.cut();
      return undecided;
    }
    this.#connection.socket.write(accepted);
    return sslRequest.length;
  }

  decided(): void {
    this.#stop();
    this.#next(this.#connection);
  }
}
