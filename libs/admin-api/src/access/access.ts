/** Who may use an endpoint. Where requests may come from is the guard's question, which is asked before. */
import type { IncomingMessage } from 'node:http';
import { anybody, type Authority } from './authority.ts';

/** Why somebody is not let in. */
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

/** Everybody who reaches the endpoint may do everything; as with the reference, its address is what protects it. */
export const openAccess: Access = { readsAuthorization: false, identify: () => anybody };

/** Tells a refusal from an authority. */
export function isRefusal(answer: Authority | Refusal): answer is Refusal {
  return 'status' in answer;
}
