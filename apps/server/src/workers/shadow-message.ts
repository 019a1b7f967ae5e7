/** Messages between the control thread and the shadow thread. */
import type { LiveRequest, ShadowReport, ShadowTask } from '@sluice/http-analysis';
import type { ModuleSource } from '../modules/module-source.ts';

export type ShadowMessage =
  | {
      readonly task: ShadowTask;
      /** Third-party module packages. */
      readonly modules: readonly ModuleSource[];
    }
  | { readonly live: LiveRequest };

export type ShadowReply =
  | { readonly report: ShadowReport }
  | { readonly error: { readonly code: string; readonly status: number; readonly message: string } };
