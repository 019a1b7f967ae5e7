/** Unidirectional streams that the peer opens (RFC 9114 §6.2): the control stream and the QPACK streams. */
import { failOwner, type Guarded, byteAt } from '@sluice/base';
import type { QuicStream, StreamUser } from '@sluice/quic';
import { h3Error, Http3Error } from './error-code.ts';
import { streamType } from './frame.ts';

/** Receiver of the content of the peer's unidirectional streams. An exception is treated as a connection error. */
export interface PeerStreamHost extends Guarded {
  /** True on a server, where the peer is a client. */
  readonly isServer: boolean;
  /** Called when a critical stream begins. Throws if a stream of this type is already open. */
  opened(type: number): void;
  control(bytes: Buffer): void;
  encoder(bytes: Buffer): void;
  decoder(bytes: Buffer): void;
  fail(error: unknown): void;
}

export class PeerStream implements StreamUser {
  readonly #host: PeerStreamHost;
  readonly #stream: QuicStream;
  /** Stream type; -1 until it is known. */
  #type = -1;
  #missing = 0;
  #value = 0;

  constructor(host: PeerStreamHost, stream: QuicStream) {
    this.#host = host;
    this.#stream = stream;
  }

  onData(bytes: Buffer): void {
    this.#stream.credit(bytes.length);
    try {
      this.#read(bytes);
    } catch (error) {
      this.#host.fail(error);
    }
  }

  #read(bytes: Buffer): void {
    let at = 0;
    while (this.#type < 0 && at < bytes.length) this.#readType(byteAt(bytes, at++));
    if (at >= bytes.length) return;
    const rest = at === 0 ? bytes : bytes.subarray(at);
    if (this.#type === streamType.control) this.#host.control(rest);
    else if (this.#type === streamType.encoder) this.#host.encoder(rest);
    else if (this.#type === streamType.decoder) this.#host.decoder(rest);
  }

  #readType(byte: number): void {
    if (this.#missing === 0) {
      this.#missing = 1 << (byte >> 6);
      this.#value = byte & 0x3f;
    } else this.#value = this.#value * 256 + byte;
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#type = this.#value;
    if (this.#isCritical) this.#host.opened(this.#type);
    else if (this.#type === streamType.push)
      throw this.#host.isServer
        ? new Http3Error(h3Error.streamCreationError, 'client opened a push stream')
        : new Http3Error(h3Error.idError, 'server opened a push stream without permission');
    // Reject streams of unknown types (RFC 9114 §6.2).
    else this.#stream.stopSending(h3Error.streamCreationError);
  }

  get #isCritical(): boolean {
    return this.#type === streamType.control || this.#type === streamType.encoder || this.#type === streamType.decoder;
  }

  #over(): void {
    if (this.#isCritical) this.#host.fail(new Http3Error(h3Error.closedCriticalStream, 'critical stream was closed'));
  }

  onEnd(): void {
    this.#over();
  }

  onReset(): void {
    this.#over();
  }

  onStopSending(): void {}

  onRoom(): void {}

  onClosed(): void {}

  fault(error: unknown): void {
    failOwner(this.#host, error);
  }
}
