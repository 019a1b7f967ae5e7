/** Dependencies of a TLS handshake: the policies of the server and the TLS state of the thread. */
import type { Logger } from '@sluice/base';
import type { Certificate } from '../certificates/certificate.ts';
import type { ChallengeResponses } from '../challenges/responses.ts';
import type { ClientHello } from '@sluice/contracts';
import type { Staples } from '../ocsp/staples.ts';
import type { ConnectionPolicy } from '../policies/connection-policy.ts';
import type { ContextCache } from '../policies/context-cache.ts';
import type { HandshakeCounter } from './handshake-counter.ts';

/** TLS state of a thread, as handshakes use it. */
export interface HandshakeTls {
  readonly log: Logger;
  readonly contexts: ContextCache;
  readonly challenges: ChallengeResponses;
  readonly staples: Staples;
  readonly handshakes: HandshakeCounter;
  /** Returns the certificate for a handshake under a policy, or `null` if this thread has none. */
  find(hello: ClientHello, policy: ConnectionPolicy): Certificate | null;
  /** Returns the certificate for the policy's `fallback_sni`, or `null` if there is none. */
  findFallback(hello: ClientHello, policy: ConnectionPolicy): Certificate | null;
  /** Requests a certificate from the control thread, which may obtain one for this request. Never rejects. */
  ask(hello: ClientHello): Promise<Certificate | null>;
}

/** Server-side dependencies of a TLS handshake. */
export interface HandshakeHost {
  readonly tls: HandshakeTls;
  readonly policies: readonly ConnectionPolicy[];
}
