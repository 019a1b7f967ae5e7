/** Interface that the `pki` app provides to other apps, modules and admin endpoints. */
import { appToken, type AppToken } from '@sluice/registry';
import type { Authority } from './authority/authority.ts';

/** ID of the default CA, which requires no configuration. */
export const defaultAuthority = 'local';

export interface PkiApp {
  /**
   * Returns the CA with an ID, or `null` if it doesn't exist. The CA `local` is created on demand. Rejects outside the control thread, and
   * if the default CA can't be created.
   */
  authority(id: string): Promise<Authority | null>;
  /** Returns the configured lifetime of a CA's intermediates, in milliseconds. Returns `null` if the CA doesn't exist. */
  intermediateLifetime(id: string): number | null;
}

export const pkiApp: AppToken<PkiApp> = appToken<PkiApp>('pki');
