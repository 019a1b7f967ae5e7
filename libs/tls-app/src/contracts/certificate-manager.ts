/** Contract of certificate managers, which provide certificates during handshakes. */
import { namespace, type Namespace } from '@sluice/registry';
import type { ClientHello } from '@sluice/contracts';
import type { CertificatePair } from './key-pair.ts';

/** Called if no known certificate matches. Provisioned and called in the control thread. */
export interface CertificateManager {
  /** Returns the certificate for a handshake, or `null` if this manager has none. Rejects on failure. */
  get(hello: ClientHello, signal: AbortSignal): Promise<CertificatePair | null>;
}

/** `tls.get_certificate`: inline key `via`. */
export const certificateManagers: Namespace<CertificateManager> = namespace<CertificateManager>('tls.get_certificate');
