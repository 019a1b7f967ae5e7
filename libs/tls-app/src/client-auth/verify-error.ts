/** OpenSSL's verification result for client certificates of Node TLS sockets. */
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** Parts of Node's internal TLS socket handle that this file uses. */
interface VerifyingHandle {
  verifyError(): (Error & { code?: string }) | null | undefined;
}

/** Returns OpenSSL's verification error code, or `null` if the client certificate is valid. */
export function verifyErrorOf(socket: TLSSocket, certificate: X509Certificate): string | null {
  const error = foundBy(socket);
  if (error !== null) return error.code ?? error.message;
  return isStale(socket, certificate) ? 'CERT_HAS_EXPIRED' : null;
}

/** Returns the same error as {@link verifyErrorOf}, but as OpenSSL's message. Node appends advice to the message after a semicolon. */
export function clientProblem(socket: TLSSocket, certificate: X509Certificate): string | null {
  return (
    foundBy(socket)?.message.replace(/;.*$/s, '') ?? (isStale(socket, certificate) ? 'certificate has expired' : null)
  );
}

function foundBy(socket: TLSSocket): (Error & { code?: string }) | null {
  const { _handle: handle } = socket as unknown as { readonly _handle: VerifyingHandle | null };
  return handle?.verifyError() ?? null;
}

/**
 * Reports whether a client certificate has expired since it was verified. OpenSSL verifies certificates only in full handshakes. A session
 * whose ticket is renewed each time would otherwise outlive its certificate.
 */
function isStale(socket: TLSSocket, certificate: X509Certificate): boolean {
  return socket.isSessionReused() && certificate.validToDate.getTime() < Date.now();
}
