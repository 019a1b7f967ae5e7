/** Reason why a QUIC connection ended. */
export interface CloseReason {
  /** Transport or application error code. */
  readonly code: number;
  readonly application: boolean;
  readonly reason: string;
  /**
   * Cause of the end: the connection was closed by this side (`local`) or by the peer (`peer`), the idle timeout expired (`timeout`), or
   * the peer lost its state (`reset`).
   */
  readonly by: 'local' | 'peer' | 'timeout' | 'reset';
}
