/** Contract of certificate managers: those who have certificates at the time of a handshake. */
import { namespace, type Namespace } from '@sluice/registry';
import type { ClientHello } from '@sluice/contracts';
import type { CertificatePair } from './key-pair.ts';

/** Asked for a certificate when none that is known fits. Provisioned and called in the control thread. */
export interface CertificateManager {
  /** The certificate for a handshake, or `null` if this manager has none for it. Rejects when it could not find out. */
  get(hello: ClientHello, signal: AbortSignal): Promise<CertificatePair | null>;
}

/** `tls.get_certificate`: inline key `via`. */
export const certificateManagers: Namespace<CertificateManager> = namespace<CertificateManager>('tls.get_certificate');
