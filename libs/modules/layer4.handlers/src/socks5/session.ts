/** SOCKS session with a client, until the connection to the destination is established. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { joinHostPort, unawaited } from '@sluice/base';
import { isUpstreamError, Peek, undecided, type FirstBytes } from '@sluice/http-app';
import type { Layer4Connection } from '@sluice/layer4-app';
import { dial } from '../common/dial.ts';
import { closeTogether, Pipe } from '../common/pipe.ts';
import { limitTime } from '../common/time-limit.ts';
import { addressBytes, readRequest, type SocksRequest } from './messages.ts';

const version = 5;
const authVersion = 1;
const noAuthentication = 0;
const userPassword = 2;
const noMethod = 0xff;
const connectCommand = 1;
/** SOCKS reply codes (RFC 1928 §6). */
const replies = { succeeded: 0, notAllowed: 2, unreachable: 4, refused: 5, unsupported: 7, badAddress: 8 };
const dialTimeout = 10_000;

/** Settings of the `socks5` handler. */
export interface SocksSettings {
  readonly connects: boolean;
  /** Passwords, keyed by user name. `null` disables authentication. */
  readonly credentials: ReadonlyMap<string, string> | null;
  readonly bindIp: string;
}

export class Session implements FirstBytes {
  readonly #connection: Layer4Connection;
  readonly #settings: SocksSettings;
  #step: 'greeting' | 'credentials' | 'request' = 'greeting';
  #request: SocksRequest | null = null;
  readonly #endLimit: () => void;

  constructor(connection: Layer4Connection, settings: SocksSettings) {
    this.#connection = connection;
    this.#settings = settings;
    this.#endLimit = limitTime(connection, 'SOCKS request');
  }

  start(): void {
    new Peek(this.#connection.socket as Socket, this).start();
  }

  look(bytes: Buffer, end: number): number {
    if (this.#step === 'greeting') return this.#greeting(bytes, end);
    if (this.#step === 'credentials') return this.#credentials(bytes, end);
    const request = readRequest(bytes, end);
    if (request === 'incomplete') return undecided;
    if (request === 'invalid') return this.#refuse(replies.badAddress);
    this.#request = request;
    return request.length;
  }

  decided(): void {
    const request = this.#request;
    if (request === null) {
      this.start();
      return;
    }
    this.#endLimit();
    unawaited(this.#connection, this.#connect(request));
  }

  #greeting(bytes: Buffer, end: number): number {
    if (end < 2) return undecided;
    const size = 2 + (bytes[1] as number);
    if (bytes[0] !== version) return this.#stop(null);
    if (end < size) return undecided;
    const method = this.#settings.credentials === null ? noAuthentication : userPassword;
    if (!bytes.subarray(2, size).includes(method)) return this.#stop(Buffer.of(version, noMethod));
    this.#connection.socket.write(Buffer.of(version, method));
    this.#step = method === userPassword ? 'credentials' : 'request';
    return size;
  }

  /** Checks the user name and password (RFC 1929). */
  #credentials(bytes: Buffer, end: number): number {
    if (end < 2) return undecided;
    const passwordAt = 2 + (bytes[1] as number);
    if (bytes[0] !== authVersion) return this.#stop(null);
    if (end <= passwordAt) return undecided;
    const size = passwordAt + 1 + (bytes[passwordAt] as number);
    if (end < size) return undecided;
    const user = bytes.toString('utf8', 2, passwordAt);
    const password = bytes.toString('utf8', passwordAt + 1, size);
    const expected = this.#settings.credentials?.get(user);
    if (!isSame(password, expected ?? '') || expected === undefined) return this.#stop(Buffer.of(authVersion, 1));
    this.#connection.socket.write(Buffer.of(authVersion, 0));
    this.#step = 'request';
    return size;
  }

  async #connect({ command, host, port }: SocksRequest): Promise<void> {
    const { connects, bindIp } = this.#settings;
    if (command !== connectCommand) return void this.#refuse(replies.unsupported);
    if (!connects) return void this.#refuse(replies.notAllowed);
    const connection = this.#connection;
    let upstream: Duplex;
    try {
      upstream = await dial(joinHostPort(host, port), {
        timeout: dialTimeout,
        preference: null,
        local: bindIp === '' ? [] : [{ host: bindIp, port: 0 }],
        hold: (made) => made.on('error', ignore),
      });
    } catch (error) {
      const cause = isUpstreamError(error) ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
      this.#refuse(cause?.code === 'ECONNREFUSED' ? replies.refused : replies.unreachable);
      return;
    }
    if (connection.closed) {
      upstream.destroy();
      return;
    }
    const { localAddress = '', localPort = 0 } = upstream as Socket;
    connection.settle();
    connection.socket.write(
      Buffer.concat([Buffer.of(version, replies.succeeded, 0), addressBytes(localAddress, localPort)]),
    );
    closeTogether([connection.socket, upstream], connection, ignore);
    new Pipe(connection.socket, [upstream], connection).start(connection);
    new Pipe(upstream, [connection.socket], connection).start(connection);
  }

  #refuse(reply: number): number {
    return this.#stop(Buffer.concat([Buffer.of(version, reply, 0), addressBytes('0.0.0.0', 0)]));
  }

  #stop(last: Buffer | null): number {
    if (last !== null) this.#connection.socket.write(last);
    this.#connection.close();
    return undecided;
  }
}

/** Compares two strings in constant time, even if their lengths differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function ignore(): void {}
