import type { AppToken } from './namespace.ts';

/** Finds apps of an active or trial configuration. */
export interface AppLookup {
  /** Returns the app or section of a token, or `null` if the configuration does not contain it. */
  app<T>(token: AppToken<T>): T | null;
}
