/** Log of one connection, for debugging. Without a log, connections do no work for it. */
import type { Recovery } from '../recovery/recovery.ts';
import type { TransportParameters } from '../wire/transport-parameters.ts';
import type { CloseReason } from './close-reason.ts';

export const earlyPacket = 3;

/** A decrypted packet. The frames are `bytes[start..end)`, which is overwritten after the call. */
export interface LoggedPacket {
  /** Number of the packet number space; {@link earlyPacket} for a 0-RTT packet. */
  readonly which: number;
  readonly number: number;
  /** Size with header and tag, in bytes. */
  readonly size: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Times in milliseconds of the clock of the endpoint. */
export interface ConnectionLog {
  packet(direction: 'sent' | 'received', packet: LoggedPacket, now: number): void;
  /** Called when a packet could not be decrypted. */
  dropped(size: number, now: number): void;
  lost(which: number, number: number, now: number): void;
  parameters(owner: 'local' | 'remote', parameters: TransportParameters, now: number): void;
  /** Called after acknowledgments and timeouts. */
  recovery(recovery: Recovery, now: number): void;
  /** Called when the peer uses another address. */
  migrated(address: { readonly host: string; readonly port: number }, now: number): void;
  /** Called once, as the last event. */
  closed(reason: CloseReason, now: number): void;
}
