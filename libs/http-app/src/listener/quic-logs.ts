/** Interface of the service that logs QUIC connections. */
import type { ConnectionLog } from '@sluice/quic';
import { token, type Token } from '@sluice/registry';

/** Selects the QUIC connections of a thread to log. */
export interface QuicLogs {
  /**
   * Starts a log for a new connection, or returns `null` if the connection is not logged. `destination` is the client's first destination
   * connection ID.
   */
  begin(client: string, destination: Buffer): ConnectionLog | null;
}

/** Service that logs the thread's QUIC connections; absent if none are logged. */
export const quicLogsToken: Token<QuicLogs> = token<QuicLogs>('quic-logs');
