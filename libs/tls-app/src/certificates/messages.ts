/** Messages about certificates that threads exchange. */
import { question, topic, type Question, type Topic } from '@sluice/threads';
import type { LoadedCertificate } from '../contracts/key-pair.ts';
import type { Certificate } from './certificate.ts';
import type { ClientHello } from '@sluice/contracts';

/** Managed certificates that were added and removed. */
export interface CertificateChanges {
  readonly added: readonly Certificate[];
  readonly removed: readonly string[];
}

/** Broadcast by the control thread when managed certificates have changed. */
export const certificatesChanged: Topic<CertificateChanges> = topic('tls.certificates');

/** Request for all managed certificates, sent by each starting thread. */
export const allCertificates: Question<null, readonly Certificate[]> = question('tls.all_certificates');

/** Request for a certificate during a handshake. The response can take as long as issuing a certificate. */
export const certificateFor: Question<ClientHello, Certificate | null> = question('tls.certificate_for');

/** Certificates that a certificate loader has reloaded. */
export interface Reloaded {
  /** Name of the certificate loader in the `certificates` option. */
  readonly loader: string;
  readonly certificates: readonly LoadedCertificate[];
}

/** Broadcast by the control thread when watched certificate files or other sources have changed. */
export const certificatesReloaded: Topic<Reloaded> = topic('tls.reloaded');
