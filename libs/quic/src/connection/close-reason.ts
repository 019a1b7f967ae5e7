/** Reason why a QUIC connection ended. */
export interface CloseReason {
  /** Transport or application error code. */
  readonly code: number;
  readonly application: boolean;
  readonly reason: string;
  /**
   * Cause of the end: `local` or `peer` closed the connection, `timeout` is an idle timeout, and `reset` means that the peer lost its
   * state.
   */
  readonly by: 'local' | 'peer' | 'timeout' | 'reset';
}
