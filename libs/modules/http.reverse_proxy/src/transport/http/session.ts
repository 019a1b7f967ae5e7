/** A connection that carries many requests at a time: HTTP/2 or HTTP/3. */
import type { ClientCall } from './client-call.ts';
import type { OriginSettings } from './origin-settings.ts';

/**
 * Maximum number of resets per connection because of disconnected clients. More requests use another connection.
 * Upstreams treat many resets as an attack and close the connection (nghttp2 after 1,000).
 */
export const maxResets = 250;

/** Maximum number of bytes of interim responses that wait for a client, and the overhead per field line. */
export const maxInterim = 256 * 1024;
export const interimCost = 32;

export interface Session {
  /** True if the connection accepts more requests. */
  readonly usable: boolean;
  send(call: ClientCall): void;
  /** Handles passed deadlines, and returns the next one. */
  sweep(now: number): number;
  /** Closes the session after its last stream. */
  retire(): void;
  /** Closes immediately. */
  destroy(): void;
}

/** Origin that created a session. */
export interface SessionOwner {
  readonly settings: OriginSettings;
  watch(deadline: number): void;
  /** Called when the session accepts no more requests. Requests in flight continue. */
  removeSession(session: Session): void;
  /** Called when the connection was closed. */
  sessionEnded(session: Session): void;
}
