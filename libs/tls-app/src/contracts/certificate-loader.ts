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
   * Starts watching the certificates. `changed` receives the current result of {@link load}. Returns a function that stops watching.
   * Undefined if the certificates cannot change. If a certificate cannot be read, the error is logged and the old certificate is kept.
   */
  watch?(changed: (certificates: readonly LoadedCertificate[]) => void): () => void;
}

/** `tls.certificates`: a module map. */
export const certificateLoaders: Namespace<CertificateLoader> = namespace<CertificateLoader>('tls.certificates');
