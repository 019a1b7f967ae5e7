/** An insecure handshake that replaces TLS in tests. It derives secrets from its messages and therefore needs no native bindings. */
import { createHash, randomBytes } from 'node:crypto';
import { level, type TlsEvents, type TlsSession } from '@sluice/quic';

const suiteId = 0x1301;
const type = { hello: 1, parameters: 2, finished: 3 } as const;

export class FakeTls implements TlsSession {
  readonly #isServer: boolean;
  readonly #parameters: Buffer;
  #events: TlsEvents | null = null;
  #pending = Buffer.alloc(0);
  #hash = createHash('sha256');
  readonly #earlyData: boolean;
  /** Size of the padding in the server's flight, which takes the place of certificates. */
  readonly #certificate: number;
  freed = false;

  /** If `earlyData` is true, the server accepts early data, encrypted with the secret of {@link earlySecretOf}. */
  constructor(isServer: boolean, parameters: Buffer, { certificate = 1000, earlyData = false } = {}) {
    this.#isServer = isServer;
    this.#parameters = parameters;
    this.#certificate = certificate;
    this.#earlyData = earlyData;
  }

  /** Returns the early data secret for a hello message, which is the client's first message. */
  static earlySecretOf(hello: Buffer): Buffer {
    return createHash('sha256').update('early data').update(hello).digest();
  }

  start(events: TlsEvents): void {
    this.#events = events;
    if (!this.#isServer) this.#send(level.initial, type.hello, Buffer.concat([randomBytes(32), this.#parameters]));
  }

  receive(_level: number, bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length >= 5) {
      const length = this.#pending.readUInt32BE(1);
      if (this.#pending.length < 5 + length) return;
      const kind = this.#pending.readUInt8(0);
      const body = this.#pending.subarray(5, 5 + length);
      this.#pending = this.#pending.subarray(5 + length);
      if (this.#isServer) this.#atServer(kind, body);
      else this.#atClient(kind, body);
    }
  }

  #atServer(kind: number, body: Buffer): void {
    if (kind === type.finished) {
      if (this.#earlyData) this.#secret(level.application, 'read');
      this.#events?.onComplete();
      return;
    }
    this.#hash.update(body);
    this.#events?.onTransportParameters(body.subarray(32));
    if (this.#earlyData) {
      const bytes = FakeTls.earlySecretOf(body);
      this.#events?.onSecret({ level: level.early, direction: 'read', suiteId, bytes });
    }
    const random = randomBytes(32);
    this.#send(level.initial, type.hello, random);
    this.#hash.update(random);
    this.#secrets(level.handshake);
    this.#send(level.handshake, type.parameters, this.#parameters);
    this.#send(level.handshake, type.finished, Buffer.alloc(this.#certificate));
    this.#secret(level.application, 'write');
    // Like OpenSSL, provides the read secret only after the client has finished the handshake.
    if (!this.#earlyData) this.#secret(level.application, 'read');
  }

  #atClient(kind: number, body: Buffer): void {
    if (kind === type.hello) {
      this.#hash.update(body);
      this.#secrets(level.handshake);
    } else if (kind === type.parameters) this.#events?.onTransportParameters(body);
    else {
      this.#secrets(level.application);
      this.#send(level.handshake, type.finished, Buffer.alloc(36));
      this.#events?.onComplete();
    }
  }

  #secrets(of: number): void {
    for (const direction of ['write', 'read'] as const) this.#secret(of, direction);
  }

  #secret(of: number, direction: 'write' | 'read'): void {
    const byServer = (direction === 'write') === this.#isServer;
    const bytes = createHash('sha256')
      .update(this.#hash.copy().digest())
      .update(Buffer.from([of, byServer ? 1 : 0]))
      .digest();
    this.#events?.onSecret({ level: of, direction, suiteId, bytes });
  }

  #send(of: number, kind: number, body: Buffer): void {
    if (!this.#isServer && kind === type.hello) this.#hash.update(body);
    const head = Buffer.alloc(5);
    head[0] = kind;
    head.writeUInt32BE(body.length, 1);
    this.#events?.onCryptoData(of, Buffer.concat([head, body]));
  }

  free(): void {
    this.freed = true;
  }
}
