/** Contract of certificate loaders. */
import { namespace, type Namespace } from '@sluice/registry';
import type { LoadedCertificate } from './key-pair.ts';

/** Loads certificates. Provisioned in every thread; `watch` runs only in the control thread. */
export interface CertificateLoader {
  /** Names to manage instead of loading certificates; only `automate` has any. */
  readonly names?: readonly string[];
  /** Returns the current certificates. Called once per provision; an error rejects the configuration. */
  load(): Promise<readonly LoadedCertificate[]>;
  /**
   * Starts watching the certificates. `changed` receives everything that {@link load} would return now. Returns a function that stops
   * watching. Undefined if nothing can change. If a certificate cannot be read, the error is logged and the old one is kept.
   */
  watch?(changed: (certificates: readonly LoadedCertificate[]) => void): () => void;
}

/** `tls.certificates`: a module map. */
export const certificateLoaders: Namespace<CertificateLoader> = namespace<CertificateLoader>('tls.certificates');
