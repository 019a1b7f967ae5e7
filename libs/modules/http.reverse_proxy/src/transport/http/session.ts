/** An upstream connection that carries concurrent requests: HTTP/2 or HTTP/3. */
import type { ClientCall } from './client-call.ts';
import type { OriginSettings } from './origin-settings.ts';

/**
 * Maximum number of stream resets per connection due to disconnected clients. After that, new requests use another connection. Upstreams
 * treat many resets as an attack and close the connection (nghttp2 after 1,000).
 */
export const maxResets = 250;

/** Maximum total size of interim responses that wait for a client, and the overhead that each field line adds. Both are in bytes. */
export const maxInterim = 256 * 1024;
export const interimCost = 32;

export interface Session {
  /** True if the session accepts more requests. */
  readonly usable: boolean;
  send(call: ClientCall): void;
  /** Handles expired deadlines. Returns the next deadline. */
  sweep(now: number): number;
  /** Closes the session once its last stream has ended. */
  retire(): void;
  /** Closes immediately. */
  destroy(): void;
}

/** Origin that created a session and owns it. */
export interface SessionOwner {
  readonly settings: OriginSettings;
  watch(deadline: number): void;
  /** Called when a session accepts no more requests. Requests in flight continue. */
  removeSession(session: Session): void;
  /** Called when the session's connection was closed. */
  sessionEnded(session: Session): void;
}
