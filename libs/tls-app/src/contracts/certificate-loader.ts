/** Contract of certificate loaders. */
import { namespace, type Namespace } from '@sluice/registry';
import type { LoadedCertificate } from './key-pair.ts';

/** Brings certificates into a configuration. Provisioned in every thread; `watch` runs in the control thread alone. */
export interface CertificateLoader {
  /** Names whose certificates are to be managed instead of loaded; `automate` alone has some. */
  readonly names?: readonly string[];
  /** The certificates as they are now. Called once per provision; an error refuses the configuration. */
  load(): Promise<readonly LoadedCertificate[]>;
  /**
   * Begins to watch what was loaded; `changed` is called with everything that {@link load} would give now. Gives the
   * function that ends it. Absent where nothing can change. What can't be read meanwhile is logged and the old one stays.
   */
  watch?(changed: (certificates: readonly LoadedCertificate[]) => void): () => void;
}

/** `tls.certificates`: a module map. */
export const certificateLoaders: Namespace<CertificateLoader> = namespace<CertificateLoader>('tls.certificates');
