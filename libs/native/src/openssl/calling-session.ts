/** The session whose OpenSSL call is in progress. Callbacks run within that call, on the same thread. */

/** The session interface for callbacks, which all contexts share. */
export interface CallingSession {
  /** True if an OCSP response is stapled to the certificate. */
  readonly hasStaple: boolean;
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
