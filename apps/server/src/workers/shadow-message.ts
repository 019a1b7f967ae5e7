/** Messages from the control thread to the shadow thread, which replays requests. */
import type { LiveRequest, ShadowTask } from '@sluice/http-analysis';
import type { ModuleSource } from '../modules/module-source.ts';

export type ShadowMessage =
  | {
      readonly task: ShadowTask;
      /** Third-party module packages. */
      readonly modules: readonly ModuleSource[];
    }
  | { readonly live: LiveRequest };
