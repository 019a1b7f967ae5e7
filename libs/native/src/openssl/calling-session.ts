/** The session whose OpenSSL call is in progress. Callbacks run within that call, on the same thread. */
import type { EarlyDataRule, TlsClientSession } from './resumption.ts';

/** The session interface for callbacks, which all contexts share. */
export interface CallingSession {
  /** True if an OCSP response is stapled to the certificate. */
  readonly hasStaple: boolean;
  /** Rule for early data of the client; `null` rejects early data. */
  readonly earlyData: EarlyDataRule | null;
  readonly wantsSessions: boolean;
  /** Receives a session that can be resumed, and takes ownership. */
  newSession(session: TlsClientSession): void;
  /** Receives a line of the key log. */
  secretLine(line: string): void;
  /** Receives an exception of a callback. */
  fault(error: unknown): void;
}

let current: CallingSession | null = null;

/** Returns the session that OpenSSL is calling back for; `null` outside of calls. */
export function callingSession(): CallingSession | null {
  return current;
}

/** Directs callbacks to `session` until the returned function is called. */
export function enter(session: CallingSession): () => void {
  const before = current;
  current = session;
  return () => {
    current = before;
  };
}
