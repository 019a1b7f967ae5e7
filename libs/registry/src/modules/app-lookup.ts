import type { AppToken } from './namespace.ts';

/** Finds apps in an active configuration or a dry run. */
export interface AppLookup {
  app<T>(token: AppToken<T>): T | null;
}
