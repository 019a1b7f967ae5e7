/** Client certificates of sessions through the OpenSSL bindings. */
import { X509Certificate } from 'node:crypto';
import { messageOf } from '@sluice/base';
import type { ClientAuthentication } from './client-authentication.ts';

/** The parts of a session that are used here. */
interface PeerSession {
  readonly resumed: boolean;
  /** Reason why OpenSSL does not trust the client certificate, or `null`. */
  readonly peerProblem: string | null;
  /** DER-encoded issuers of the client certificate. */
  readonly peerChain: readonly Buffer[];
}

/** Returns the reason why a client is rejected; `null` if it is accepted. OpenSSL has verified the certificate in a full handshake. */
export function refusalOf(
  client: ClientAuthentication,
  session: PeerSession,
  certificate: Buffer | null,
): string | null {
  if (certificate === null) return client.required ? 'client sent no certificate' : null;
  const problem = client.verified ? problemOf(session, certificate) : null;
  if (problem !== null) return `client certificate is not valid: ${problem}`;
  const chain = [certificate, ...session.peerChain].map((der) => new X509Certificate(der));
  try {
    for (const verifier of client.verifiers) verifier.verify(chain);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the problem of a client certificate. A resumed session must not outlive its certificate. */
export function problemOf(session: PeerSession, certificate: Buffer): string | null {
  const problem = session.peerProblem;
  if (problem !== null || !session.resumed) return problem;
  return new X509Certificate(certificate).validToDate.getTime() < Date.now() ? 'certificate has expired' : null;
}
