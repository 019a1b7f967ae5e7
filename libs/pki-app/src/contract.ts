/** Interface of the `pki` app for other apps, modules and admin routes. */
import { appToken, type AppToken } from '@sluice/registry';
import type { Authority } from './authority/authority.ts';

/** ID of the default CA, which needs no configuration. */
export const defaultAuthority = 'local';

export interface PkiApp {
  /**
   * Returns the CA with an ID, or `null` if the CA does not exist. `local` is created on demand. Rejects in threads other than the control
   * thread, and if the default CA cannot be created.
   */
  authority(id: string): Promise<Authority | null>;
  /** Returns the configured lifetime of a CA's intermediates in milliseconds, or `null` if the CA does not exist. */
  intermediateLifetime(id: string): number | null;
}

export const pkiApp: AppToken<PkiApp> = appToken<PkiApp>('pki');
