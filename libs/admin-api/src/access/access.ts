/** Authentication and authorization for an admin endpoint. The guard checks the request's origin before this step. */
import type { IncomingMessage } from 'node:http';
import { anyone, type Authority } from './authority.ts';

/** Reason and response details for a rejected request. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  /** Value of the `WWW-Authenticate` response header. `null` omits the header. */
  readonly challenge: string | null;
}

/** Identifies request senders. */
export interface Access {
  /** True if the scheme uses the `Authorization` header. Cross-origin pages may send this header only if CORS allows it. */
  readonly readsAuthorization: boolean;
  identify(request: IncomingMessage): Authority | Refusal;
}

/** Allows every request from any client that can reach the endpoint. As in Caddy, only the listen address restricts access. */
export const openAccess: Access = { readsAuthorization: false, identify: () => anyone };

export function isRefusal(outcome: Authority | Refusal): outcome is Refusal {
  return 'status' in outcome;
}
