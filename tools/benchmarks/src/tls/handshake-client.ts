/**
 * A minimal client that performs full TLS 1.3 handshakes and sends one request over each connection. It reuses one key share, does not
 * verify the certificate or signature, and does not parse the response. TLS libraries would use more CPU time than the servers under test.
 * Some also resume sessions when full handshakes are requested.
 */
import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import {
  applicationKeys,
  handshakeKeys,
  hmac,
  sha256,
  type HandshakeKeys,
  type TrafficKeys,
} from './handshake-keys.ts';

const recordHeader = 5;
const handshake = 22;
const applicationData = 23;
const changeCipherSpec = 20;
const finished = 20;
/** Minimum size of a response, in bytes. An alert takes 24 bytes. Session tickets followed by a response take more than 100 bytes. */
const minResponseSize = 100;

/** Settings shared by all connections of a client. */
export interface HandshakePlan {
  readonly port: number;
  /** Server name (SNI) in the ClientHello. */
  readonly host: string;
  readonly request: Buffer;
  /** The ClientHello message without the record header. */
  readonly hello: Buffer;
}

const { publicKey, privateKey } = generateKeyPairSync('x25519');
const share = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');

/** Prepares the shared settings. The request contains `Connection: close`. */
export function handshakePlan(port: number, host: string, path: string): HandshakePlan {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return { port, host, request, hello: clientHello(host) };
}

/** A single handshake. It calls `done` once, with true if a complete response arrived. */
export class HandshakeClient {
  readonly #plan: HandshakePlan;
  readonly #done: (responded: boolean) => void;
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #messages: Buffer[];
  #keys: HandshakeKeys | null = null;
  #sequence = 0;
  #isComplete = false;
  #received = 0;

  constructor(plan: HandshakePlan, done: (responded: boolean) => void) {
    this.#plan = plan;
    this.#done = done;
    this.#messages = [plan.hello];
    this.#socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
  }

  start(): void {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#done(this.#received >= minResponseSize));
    socket.write(record(handshake, this.#plan.hello));
  }

  #read(chunk: Buffer): void {
    if (this.#isComplete) {
      this.#received += chunk.length;
      return;
    }
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (!this.#isComplete && bytes.length >= at + recordHeader) {
      const end = at + recordHeader + bytes.readUInt16BE(at + 3);
      if (bytes.length < end) break;
      if (!this.#readRecord(bytes.subarray(at, end))) {
        this.#socket.destroy();
        return;
      }
      at = end;
    }
    this.#rest = bytes.subarray(at);
    if (this.#isComplete) this.#received = this.#rest.length;
  }

  /** Processes one TLS record. Returns false to close the connection. */
  #readRecord(bytes: Buffer): boolean {
    const type = bytes[0];
    if (type === changeCipherSpec) return true;
    if (this.#keys === null) {
      if (type !== handshake) return false;
      const hello = bytes.subarray(recordHeader);
      this.#messages.push(hello);
      const serverShare = shareOf(hello);
      if (serverShare === null) return false;
      this.#keys = handshakeKeys(privateKey, serverShare, Buffer.concat(this.#messages));
      return true;
    }
    if (type !== applicationData) return false;
    const plain = open(bytes, this.#keys.server, this.#sequence++);
    // The inner content type follows the handshake messages (RFC 8446 §5.2). This client does not support padding.
    if (plain.at(-1) !== handshake) return false;
    this.#messages.push(plain.subarray(0, -1));
    if (endsWithFinished(plain)) this.#finish(this.#keys);
    return true;
  }

  #finish(keys: HandshakeKeys): void {
    this.#isComplete = true;
    const transcript = sha256(Buffer.concat(this.#messages));
    const message = Buffer.concat([Buffer.from([finished, 0, 0, 32]), hmac(keys.finished, transcript)]);
    this.#socket.write(
      Buffer.concat([
        seal(message, handshake, keys.client),
        seal(this.#plan.request, applicationData, applicationKeys(keys.secret, transcript)),
      ]),
    );
  }
}

/** Reports whether the last message of a record is Finished. This message has a 4-byte header, 32 bytes of content, and the content type. */
function endsWithFinished(plain: Buffer): boolean {
  const at = plain.length - 37;
  return at >= 0 && plain[at] === finished && plain.readUIntBE(at + 1, 3) === 32;
}

function record(type: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, 3, 3, content.length >> 8, content.length & 255]), content]);
}

/** Encrypts the first record in one direction. */
function seal(content: Buffer, type: number, { key, iv }: TrafficKeys): Buffer {
  const length = content.length + 17;
  const header = Buffer.from([applicationData, 3, 3, length >> 8, length & 255]);
  const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(header);
  return Buffer.concat([
    header,
    cipher.update(content),
    cipher.update(Buffer.from([type])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function open(bytes: Buffer, { key, iv }: TrafficKeys, sequence: number): Buffer {
  const nonce = Buffer.from(iv);
  nonce[11] = (nonce[11] ?? 0) ^ sequence;
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAAD(bytes.subarray(0, recordHeader));
  cipher.setAuthTag(bytes.subarray(-16));
  const plain = cipher.update(bytes.subarray(recordHeader, -16));
  cipher.final();
  return plain;
}

/** Returns the server's key share, or `null` if the ServerHello contains no X25519 key share. */
function shareOf(hello: Buffer): Buffer | null {
  let at = 4 + 2 + 32;
  at += 1 + (hello[at] ?? 0) + 3;
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end; at += 4 + hello.readUInt16BE(at + 2))
    if (hello.readUInt16BE(at) === 51 && hello.readUInt16BE(at + 4) === 29) return hello.subarray(at + 8, at + 40);
  return null;
}

/** Builds a ClientHello for TLS 1.3 with one cipher suite and one group. */
function clientHello(host: string): Buffer {
  const extensions = Buffer.concat([
    extension(0, vector(2, Buffer.concat([Buffer.from([0]), vector(2, Buffer.from(host))]))),
    extension(10, vector(2, Buffer.from([0, 29]))),
    extension(13, vector(2, Buffer.from([4, 3, 8, 4]))),
    extension(16, vector(2, vector(1, Buffer.from('http/1.1')))),
    extension(43, vector(1, Buffer.from([3, 4]))),
    // The psk_key_exchange_modes extension makes the server issue tickets.
    extension(45, vector(1, Buffer.from([1]))),
    extension(51, vector(2, Buffer.concat([Buffer.from([0, 29]), vector(2, share)]))),
  ]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    randomBytes(32),
    vector(1, Buffer.alloc(0)),
    vector(2, Buffer.from([0x13, 0x01])),
    vector(1, Buffer.from([0])),
    vector(2, extensions),
  ]);
  return Buffer.concat([Buffer.from([1]), vector(3, body)]);
}

function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type >> 8, type & 255]), vector(2, content)]);
}

/** Prepends the content's length in `size` bytes. */
function vector(size: number, content: Buffer): Buffer {
  const length = Buffer.alloc(size);
  length.writeUIntBE(content.length, 0, size);
  return Buffer.concat([length, content]);
}
