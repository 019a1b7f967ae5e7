import { namespace, type Namespace } from '@sluice/registry';
import type { ClientHello } from './client-hello.ts';

/** Reports whether a connection policy applies to a handshake. Runs in traffic threads; must be synchronous. */
export interface HandshakeMatcher {
  match(hello: ClientHello): boolean;
}

/** `tls.handshake_match`: a module map; all matchers of a policy must match. */
export const handshakeMatchers: Namespace<HandshakeMatcher> = namespace<HandshakeMatcher>('tls.handshake_match');
