/** Public key that identifies a client to the remote endpoint. */
import type { TLSSocket } from 'node:tls';

/** Returns the public key of the client's certificate, or `null`. The handshake proves that the client owns the key. */
export function publicKeyOf(socket: TLSSocket): Buffer | null {
  return socket.getPeerX509Certificate?.()?.publicKey.export({ type: 'spki', format: 'der' }) ?? null;
}
