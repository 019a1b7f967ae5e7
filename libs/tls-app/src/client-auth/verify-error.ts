/** What OpenSSL has found about the certificate of a client. */
import type { TLSSocket } from 'node:tls';

/** Node's handle under a TLS socket, as far as it is used here. */
interface VerifyingHandle {
  verifyError(): (Error & { code?: string }) | null | undefined;
}

/** Why the certificate of the client was not verified, or `null` if it was. */
export function verifyErrorOf(socket: TLSSocket): string | null {
  const { _handle: handle } = socket as unknown as { readonly _handle: VerifyingHandle | null };
  const error = handle?.verifyError();
  return error === null || error === undefined ? null : (error.code ?? error.message);
}
