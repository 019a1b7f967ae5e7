/** What other apps, modules and admin routes see of the app `pki`. */
import { appToken, type AppToken } from '@sluice/registry';
import type { Authority } from './authority/authority.ts';

/** Id of the authority that needs no configuration. */
export const defaultAuthority = 'local';

/** What other apps and admin routes see of the app. */
export interface PkiApp {
  /**
   * The authority of an id, or `null` where there is none; `local` is made on demand. Rejects in threads other than the
   * control thread, which alone has the keys, and where the default authority can't be made.
   */
  authority(id: string): Promise<Authority | null>;
  /** How long an intermediate of an authority is valid, in milliseconds, by its options; `null` where there is no such authority. */
  intermediateLifetime(id: string): number | null;
}

/** The token of the app. */
export const pkiApp: AppToken<PkiApp> = appToken<PkiApp>('pki');
