/** Contract of handshake matchers. */
import { namespace, type Namespace } from '@sluice/registry';
import type { ClientHello } from './client-hello.ts';

/** Tells whether a connection policy is for a handshake. Runs in traffic threads; must not wait. */
export interface HandshakeMatcher {
  match(hello: ClientHello): boolean;
}

/** `tls.handshake_match`: a module map; all matchers of a policy must match. */
export const handshakeMatchers: Namespace<HandshakeMatcher> = namespace<HandshakeMatcher>('tls.handshake_match');
