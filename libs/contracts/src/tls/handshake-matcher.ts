import { namespace, type Namespace } from '@sluice/registry';
import type { ClientHello } from './client-hello.ts';

/** Reports whether a connection policy applies to a handshake. Runs in traffic threads and must be synchronous. */
export interface HandshakeMatcher {
  match(hello: ClientHello): boolean;
}

/** Module namespace `tls.handshake_match`, as a module map. All matchers of a policy must match. */
export const handshakeMatchers: Namespace<HandshakeMatcher> = namespace<HandshakeMatcher>('tls.handshake_match');
