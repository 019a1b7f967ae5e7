/** Log of one QUIC connection, for debugging. Connections without a log do no additional work. */
import type { Recovery } from '../recovery/recovery.ts';
import type { TransportParameters } from '../wire/transport-parameters.ts';
import type { CloseReason } from './close-reason.ts';

export const earlyPacket = 3;

/** A decrypted packet. Its frames are in `bytes[start..end)`, which is overwritten after the call. */
export interface LoggedPacket {
  /** Packet number space; {@link earlyPacket} for a 0-RTT packet. */
  readonly which: number;
  readonly number: number;
  /** Packet size in bytes, including header and tag. */
  readonly size: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Log of a connection. Times are in milliseconds of the endpoint's clock. */
export interface ConnectionLog {
  packet(direction: 'sent' | 'received', packet: LoggedPacket, now: number): void;
  /** Called when a packet could not be decrypted. */
  dropped(size: number, now: number): void;
  lost(which: number, number: number, now: number): void;
  parameters(owner: 'local' | 'remote', parameters: TransportParameters, now: number): void;
  /** Called after acknowledgments and timeouts change the loss recovery state. */
  recovery(recovery: Recovery, now: number): void;
  /** Called when the peer starts to use a different address. */
  migrated(address: { readonly host: string; readonly port: number }, now: number): void;
  /** Called once, as the last event, when the connection has closed. */
  closed(reason: CloseReason, now: number): void;
}
