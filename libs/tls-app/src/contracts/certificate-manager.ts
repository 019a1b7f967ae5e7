/** Interface that certificate manager modules implement. Certificate managers provide certificates during handshakes. */
import { namespace, type Namespace } from '@sluice/registry';
import type { ClientHello } from '@sluice/contracts';
import type { CertificatePair } from './key-pair.ts';

/** Provides certificates when no known certificate matches. Provisioned and called in the control thread. */
export interface CertificateManager {
  /** Returns the certificate for a handshake, or `null` if this manager has none. Rejects on failure. */
  get(hello: ClientHello, signal: AbortSignal): Promise<CertificatePair | null>;
}

/** Namespace `tls.get_certificate` for certificate managers. The inline key is `via`. */
export const certificateManagers: Namespace<CertificateManager> = namespace<CertificateManager>('tls.get_certificate');
