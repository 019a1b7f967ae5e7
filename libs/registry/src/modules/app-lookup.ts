/** How apps are found, of a configuration in force or of one that is tried out. */
import type { AppToken } from './namespace.ts';

/** Finds apps of a configuration. */
export interface AppLookup {
  /** The app or section of a token, or `null` where the configuration does not have it. */
  app<T>(token: AppToken<T>): T | null;
}
