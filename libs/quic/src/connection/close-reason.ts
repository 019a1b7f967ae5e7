/** Reason why a QUIC connection ended. */
export interface CloseReason {
  /** Transport or application error code. */
  readonly code: number;
  readonly application: boolean;
  readonly reason: string;
  /**
   * Cause of the end. `local`: this side closed the connection. `peer`: the peer closed it. `timeout`: the idle timeout expired. `reset`:
   * the peer lost its state.
   */
  readonly by: 'local' | 'peer' | 'timeout' | 'reset';
}
