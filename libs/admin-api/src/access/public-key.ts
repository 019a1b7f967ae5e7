/** The public key by which the remote endpoint knows a client. */
import type { TLSSocket } from 'node:tls';

/** The public key of the certificate that the client has shown, or `null`. The handshake proves that the key is its own. */
export function publicKeyOf(socket: TLSSocket): Buffer | null {
  return socket.getPeerX509Certificate?.()?.publicKey.export({ type: 'spki', format: 'der' }) ?? null;
}
