/** What OpenSSL has found about the certificate of a client. */
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** Node's handle under a TLS socket, as far as it is used here. */
interface VerifyingHandle {
  verifyError(): (Error & { code?: string }) | null | undefined;
}

/** The code of why the certificate of the client is not valid, or `null` if it is. */
export function verifyErrorOf(socket: TLSSocket, certificate: X509Certificate): string | null {
  const error = foundBy(socket);
  if (error !== null) return error.code ?? error.message;
  return isStale(socket, certificate) ? 'CERT_HAS_EXPIRED' : null;
}

/** As {@link verifyErrorOf}, in OpenSSL's words; after a semicolon Node adds advice. */
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
 * Whether a certificate that was valid is no longer. OpenSSL verifies certificates in full handshakes only: one that resumes
 * a session, whose ticket is renewed each time, would outlive its certificate for good.
 */
function isStale(socket: TLSSocket, certificate: X509Certificate): boolean {
  return socket.isSessionReused() && certificate.validToDate.getTime() < Date.now();
}
