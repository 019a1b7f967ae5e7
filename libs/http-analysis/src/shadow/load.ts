/** Loads the code for replaying requests on first use. */
import type { guardedUpstreams } from './shadow-guard.ts';
import type { Shadow } from './shadow.ts';

export interface ShadowModule {
  readonly Shadow: typeof Shadow;
  readonly guardedUpstreams: typeof guardedUpstreams;
}

export function loadShadow(): Promise<ShadowModule> {
  return import('./index.ts');
}
