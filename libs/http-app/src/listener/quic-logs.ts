/** Interface of the service that logs QUIC connections. */
import type { ConnectionLog } from '@sluice/quic';
import { token, type Token } from '@sluice/registry';

/** Selects which QUIC connections of a thread are logged. */
export interface QuicLogs {
  /**
   * Starts a log for a new connection, or returns `null` if the connection isn't logged. `destination` is the first destination connection
   * ID that the client sent.
   */
  begin(client: string, destination: Buffer): ConnectionLog | null;
}

/** Service that logs the thread's QUIC connections; absent if none are logged. */
export const quicLogsToken: Token<QuicLogs> = token<QuicLogs>('quic-logs');
