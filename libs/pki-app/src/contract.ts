/** Interface that the `pki` app provides to other apps, modules and admin endpoints. */
import { appToken, type AppToken } from '@sluice/registry';
import type { Authority } from './authority/authority.ts';

/** ID of the default CA, which requires no configuration. */
export const defaultAuthority = 'local';

export interface PkiApp {
  /**
   * Returns a CA by its ID, or `null` if it doesn't exist. The CA `local` is created on demand. Rejects if called outside the control
   * thread, or if the default CA can't be created.
   */
  authority(id: string): Promise<Authority | null>;
  /** Returns the configured lifetime of the intermediate certificates of a CA, in milliseconds. Returns `null` if the CA doesn't exist. */
  intermediateLifetime(id: string): number | null;
}

export const pkiApp: AppToken<PkiApp> = appToken<PkiApp>('pki');
