/** Who may use an endpoint. Where requests may come from is the guard's question, which is asked before. */
import type { IncomingMessage } from 'node:http';
import { anyone, type Authority } from './authority.ts';

/** Why a request is not let in. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  /** The value of `WWW-Authenticate`, if any. */
  readonly challenge: string | null;
}

/** Tells who sends a request. */
export interface Access {
  /** Whether it reads the field `Authorization`, which web pages may only send where they were told so. */
  readonly readsAuthorization: boolean;
  identify(request: IncomingMessage): Authority | Refusal;
}

/** Every client that reaches the endpoint may do everything; as with the reference, its address is what protects it. */
export const openAccess: Access = { readsAuthorization: false, identify: () => anyone };

export function isRefusal(outcome: Authority | Refusal): outcome is Refusal {
  return 'status' in outcome;
}
