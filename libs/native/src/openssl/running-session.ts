/** The TLS session over TCP whose OpenSSL call is in progress. Callbacks run within the call, on the same thread. */
import type { Block } from '../memory.ts';
import type { TicketKeyring } from './ticket-callback.ts';

/** Session interface for OpenSSL callbacks. All contexts of a thread share the callbacks. */
export interface RunningSession {
  readonly context: {
    readonly options: { readonly alpn: Buffer | null; readonly ticketKeys: TicketKeyring | null };
    /** ALPN protocol names, in the format that OpenSSL reads. */
    readonly names: Block;
  };
  /** Negotiated ALPN protocol. */
  protocol: string;
  readonly hasStaple: boolean;
}

let running: RunningSession | null = null;

/** Returns the session whose OpenSSL call is in progress. Returns `null` outside such calls. */
export function runningSession(): RunningSession | null {
  return running;
}

/** Sets the session whose OpenSSL call is in progress. Called before and after each call. */
export function setRunning(session: RunningSession | null): void {
  running = session;
}
