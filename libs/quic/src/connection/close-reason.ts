/** Reason why a connection ended. */
export interface CloseReason {
  /** Transport or application error code. */
  readonly code: number;
  readonly application: boolean;
  readonly reason: string;
  /** Party that ended the connection. `timeout`: idle timeout; `reset`: the peer has lost its state. */
  readonly by: 'local' | 'peer' | 'timeout' | 'reset';
}
