/** What the threads tell each other about certificates. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { LoadedCertificate } from '../contracts/key-pair.ts';
import type { Certificate } from './certificate.ts';
import type { ClientHello } from '@sluice/contracts';

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

/** Asked at a handshake that no certificate is known for; the response may take as long as obtaining one does. */
export const certificateFor: Question<ClientHello, Certificate | null> = question('tls.certificate_for');

/** What a loader has read again. */
export interface Reloaded {
  /** Name of the loader in `certificates`. */
  readonly loader: string;
  readonly certificates: readonly LoadedCertificate[];
}

/** Control to all: watched certificates have changed. */
export const certificatesReloaded: Topic<Reloaded> = topic('tls.reloaded');
