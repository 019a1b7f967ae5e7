/** Extracts the public key that identifies a client of the remote admin endpoint. */
import type { TLSSocket } from 'node:tls';

/**
 * Returns the public key of the client certificate, or `null` if the client sent none. The TLS handshake proves that the client owns the
 * key.
 */
export function publicKeyOf(socket: TLSSocket): Buffer | null {
  return socket.getPeerX509Certificate?.()?.publicKey.export({ type: 'spki', format: 'der' }) ?? null;
}
