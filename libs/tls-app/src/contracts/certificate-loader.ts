/** Interface that certificate loader modules implement. */
import { namespace, type Namespace } from '@sluice/registry';
import type { LoadedCertificate } from './key-pair.ts';

/** Loads certificates. Loaders are provisioned in every thread, but `watch` runs only in the control thread. */
export interface CertificateLoader {
  /** Names to manage. Defined only for the `automate` loader, which loads no certificates itself. */
  readonly names?: readonly string[];
  /** Returns the current certificates. Called once per provision. An error rejects the configuration. */
  load(): Promise<readonly LoadedCertificate[]>;
  /**
   * Watches the certificates for changes, and returns a function that stops watching. `changed` receives the new result of {@link load}. If
   * a certificate cannot be read, the error is logged and the old certificate remains in use. `watch` is undefined if the certificates
   * cannot change.
   */
  watch?(changed: (certificates: readonly LoadedCertificate[]) => void): () => void;
}

/** Namespace `tls.certificates` for certificate loaders, which are configured as a module map. */
export const certificateLoaders: Namespace<CertificateLoader> = namespace<CertificateLoader>('tls.certificates');
