/** What the threads tell each other about certificates. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { CertificatePair, LoadedCertificate } from './certificates/key-pair.ts';
import type { Certificate } from './certificates/certificate.ts';
import type { Staple, StapleChanges } from './ocsp/staples.ts';
import type { ClientHello } from './policies/client-hello.ts';

/** Managed certificates that came and went. */
export interface CertificateChanges {
  readonly added: readonly Certificate[];
  /** Hashes. */
  readonly removed: readonly string[];
}

/** Control to all: what has changed. */
export const certificatesChanged: Topic<CertificateChanges> = topic('tls.certificates');

/** Asked by a thread that begins: all managed certificates. */
export const allCertificates: Question<null, readonly Certificate[]> = question('tls.all_certificates');

/** Asked at a handshake that no certificate is known for; the answer may take as long as obtaining one does. */
export const certificateFor: Question<ClientHello, Certificate | null> = question('tls.certificate_for');

/** What a loader has read anew. */
export interface Reloaded {
  /** Name of the loader in `certificates`. */
  readonly loader: string;
  readonly certificates: readonly LoadedCertificate[];
}

/** Control to all: watched certificates have changed. */
export const certificatesReloaded: Topic<Reloaded> = topic('tls.reloaded');

/** A challenge that is put up, or taken down. */
export type ChallengeChange =
  | { readonly kind: 'http'; readonly name: string; readonly challenge: string; readonly answer: string | null }
  | { readonly kind: 'tls-alpn'; readonly name: string; readonly certificate: CertificatePair | null };

/** Control to all: resolves when every thread has done so. */
export const challengeChanged: Question<ChallengeChange, null> = question('tls.challenge');

/** Asked by a thread that begins: the challenges that are up. */
export const allChallenges: Question<null, readonly ChallengeChange[]> = question('tls.all_challenges');

/** Control to all: keys of session tickets, the current one first; none leaves them to OpenSSL. */
export const ticketKeysChanged: Topic<readonly Uint8Array[]> = topic('tls.ticket_keys');

/** Asked by a thread that begins. */
export const currentTicketKeys: Question<null, readonly Uint8Array[]> = question('tls.current_ticket_keys');

/** Control to all: OCSP answers that came and went. */
export const staplesChanged: Topic<StapleChanges> = topic('tls.staples');

/** Asked by a thread that begins: the OCSP answers that hold. */
export const allStaples: Question<null, readonly Staple[]> = question('tls.all_staples');
