/** A unidirectional stream that this side opens: the control stream or a QPACK stream (RFC 9114 §6.2, RFC 9204 §4.2). */
import { failOwner, type Guarded } from '@sluice/base';
import type { StreamUser } from '@sluice/quic';
import { h3Error, Http3Error } from './error-code.ts';

export interface OwnStreamHost extends Guarded {
  fail(error: unknown): void;
}

export class OwnStream implements StreamUser {
  readonly #host: OwnStreamHost;

  constructor(host: OwnStreamHost) {
    this.#host = host;
  }

  onData(): void {}

  onEnd(): void {}

  onReset(): void {}

  /** Closes the connection if the peer sends STOP_SENDING, because critical streams must stay open (RFC 9114 §6.2.1, RFC 9204 §4.2). */
  onStopSending(): void {
    this.#host.fail(new Http3Error(h3Error.closedCriticalStream, 'peer rejected a critical stream'));
  }

  onRoom(): void {}

  onClosed(): void {}

  fault(error: unknown): void {
    failOwner(this.#host, error);
  }
}
