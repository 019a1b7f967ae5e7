/** The QUIC TLS session whose OpenSSL call is in progress. Callbacks run within that call, on the same thread. */
import type { EarlyDataRule, TlsClientSession } from './resumption.ts';

/** Session interface for OpenSSL callbacks. All contexts share the callbacks. */
export interface CallingSession {
  /** True if an OCSP response is stapled to the certificate. */
  readonly hasStaple: boolean;
  /** Rule for the client's early data; `null` rejects early data. */
  readonly earlyData: EarlyDataRule | null;
  readonly wantsSessions: boolean;
  /** Receives a resumable session and takes ownership of it. */
  newSession(session: TlsClientSession): void;
  /** Receives a line of the TLS key log. */
  secretLine(line: string): void;
  /** Receives an exception thrown in a callback. */
  fault(error: unknown): void;
}

let current: CallingSession | null = null;

/** Returns the session whose OpenSSL call is in progress. Returns `null` outside such calls. */
export function callingSession(): CallingSession | null {
  return current;
}

/** Directs callbacks to `session`. Stops when the returned function is called. */
export function enter(session: CallingSession): () => void {
  const before = current;
  current = session;
  return () => {
    current = before;
  };
}
