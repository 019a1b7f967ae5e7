/** Checks client certificates in TLS sessions that use the OpenSSL bindings. */
import { X509Certificate } from 'node:crypto';
import { messageOf } from '@sluice/base';
import type { ClientAuthentication } from './client-authentication.ts';

/** The members of a TLS session that this file uses. */
interface PeerSession {
  readonly resumed: boolean;
  /** Reason that OpenSSL does not trust the client certificate, or `null` if it does. */
  readonly peerProblem: string | null;
  /** Issuer certificates of the client certificate, DER-encoded. */
  readonly peerChain: readonly Buffer[];
}

/** Returns the reason for rejecting a client, or `null` if the client is accepted. OpenSSL verifies certificates only in full handshakes. */
export function refusalOf(
  client: ClientAuthentication,
  session: PeerSession,
  certificate: Buffer | null,
): string | null {
  if (certificate === null) return client.required ? 'the client sent no certificate' : null;
  const problem = client.verified ? problemOf(session, certificate) : null;
  if (problem !== null) return `the client certificate is not valid: ${problem}`;
  const chain = [certificate, ...session.peerChain].map((der) => new X509Certificate(der));
  try {
    for (const verifier of client.verifiers) verifier.verify(chain);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the problem with a client certificate, or `null`. Rejects a resumed session if its certificate has expired. */
export function problemOf(session: PeerSession, certificate: Buffer): string | null {
  const problem = session.peerProblem;
  if (problem !== null || !session.resumed) return problem;
  return new X509Certificate(certificate).validToDate.getTime() < Date.now() ? 'certificate has expired' : null;
}
