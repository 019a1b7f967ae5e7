/** Contract of the service that logs QUIC connections. */
import type { ConnectionLog } from '@sluice/quic';
import { token, type Token } from '@sluice/registry';

/** Decides which connections of its thread are logged. */
export interface QuicLogs {
  /** Called for each new connection. `destination`: its original destination ID. Returns `null` if it is not logged. */
  begin(client: string, destination: Buffer): ConnectionLog | null;
}

/** Service of a thread; without it, no connection is logged. */
export const quicLogsToken: Token<QuicLogs> = token<QuicLogs>('quic-logs');
