import type { AppToken } from './namespace.ts';

/** Finds apps of an active or trial configuration. */
export interface AppLookup {
  app<T>(token: AppToken<T>): T | null;
}
