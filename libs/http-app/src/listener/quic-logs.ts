/** Contract of the service that logs QUIC connections. */
import type { ConnectionLog } from '@sluice/quic';
import { token, type Token } from '@sluice/registry';

/** Decides which connections of its thread are logged. */
export interface QuicLogs {
  /**
   * Called for each new connection. `destination` is the client's first destination connection ID. Returns `null` if
   * the connection is not logged.
   */
  begin(client: string, destination: Buffer): ConnectionLog | null;
}

/** Logs QUIC connections of the thread; absent if none are logged. */
export const quicLogsToken: Token<QuicLogs> = token<QuicLogs>('quic-logs');
