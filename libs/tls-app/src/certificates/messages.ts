/** Messages about certificates between threads. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { LoadedCertificate } from '../contracts/key-pair.ts';
import type { Certificate } from './certificate.ts';
import type { ClientHello } from '@sluice/contracts';

/** Added and removed managed certificates. */
export interface CertificateChanges {
  readonly added: readonly Certificate[];
  readonly removed: readonly string[];
}

/** Broadcast by the control thread when managed certificates changed. */
export const certificatesChanged: Topic<CertificateChanges> = topic('tls.certificates');

/** Query for all managed certificates, sent by a starting thread. */
export const allCertificates: Question<null, readonly Certificate[]> = question('tls.all_certificates');

/** Query for a handshake without a certificate. The response may take as long as issuance. */
export const certificateFor: Question<ClientHello, Certificate | null> = question('tls.certificate_for');

/** Certificates that a loader has read again. */
export interface Reloaded {
  /** Name of the loader in `certificates`. */
  readonly loader: string;
  readonly certificates: readonly LoadedCertificate[];
}

/** Broadcast by the control thread when watched certificates changed. */
export const certificatesReloaded: Topic<Reloaded> = topic('tls.reloaded');
