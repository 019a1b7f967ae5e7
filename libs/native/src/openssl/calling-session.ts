/** The session whose call into OpenSSL is running: callbacks come from within it, on the same thread. */

/** What callbacks of all contexts ask of a session. */
export interface CallingSession {
  /** Whether an OCSP response goes with the certificate. */
  readonly hasStaple: boolean;
  /** A line of the key log. */
  secretLine(line: string): void;
  /** A callback has thrown. */
  fault(error: unknown): void;
}

let current: CallingSession | null = null;

/** The session that OpenSSL calls back for; `null` outside of calls. */
export function callingSession(): CallingSession | null {
  return current;
}

/** Callbacks are for `session` until the returned function is called. */
export function enter(session: CallingSession): () => void {
  const before = current;
  current = session;
  return () => {
    current = before;
  };
}
