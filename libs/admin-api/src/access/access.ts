/** Authorization for an endpoint. The guard checks the request origin first. */
import type { IncomingMessage } from 'node:http';
import { anyone, type Authority } from './authority.ts';

/** Reason for the rejection of a request. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  /** Value of `WWW-Authenticate`, or `null` for none. */
  readonly challenge: string | null;
}

/** Identifies request senders. */
export interface Access {
  /** True if the scheme reads `Authorization`, which web pages may only send if CORS allows it. */
  readonly readsAuthorization: boolean;
  identify(request: IncomingMessage): Authority | Refusal;
}

/** Allows all requests of any client that can reach the endpoint. As in Caddy, only its address protects it. */
export const openAccess: Access = { readsAuthorization: false, identify: () => anyone };

export function isRefusal(outcome: Authority | Refusal): outcome is Refusal {
  return 'status' in outcome;
}
