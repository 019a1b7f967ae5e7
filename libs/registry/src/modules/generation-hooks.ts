/** Hooks of one applied configuration. Tapable cannot untap, so each application has hooks of its own. */
import { AsyncSeriesHook, SyncHook } from 'tapable';
import type { Json, Logger } from '@sluice/base';

/** Something that was provisioned: its module id and where it stands. */
export interface ProvisionEvent {
  readonly id: string;
  readonly where: string;
}

/**
 * Seams of one application of a configuration. Tap them from `Registry.hooks.generation`.
 * Order: `beforeProvision`, per module `provisioned`, `beforeCommit` (may refuse), `committed`, `retired`. What taps of the
 * last two throw is logged.
 */
export class GenerationHooks {
  /** The document about to be applied. */
  readonly config: Json;
  readonly beforeProvision = new AsyncSeriesHook<[]>();
  readonly provisioned = new SyncHook<[ProvisionEvent]>(['event']);
  readonly beforeCommit = new AsyncSeriesHook<[]>();
  readonly committed = new SyncHook<[]>();
  readonly aborted = new SyncHook<[unknown]>(['reason']);
  readonly retired = new SyncHook<[]>();

  constructor(config: Json, log: Logger) {
    this.config = config;
    // Nothing can be refused any more when these are called, so a tap that throws must not stop the others.
    for (const hook of [this.committed, this.retired]) guard(hook, log);
  }
}

function guard(hook: SyncHook<[]>, log: Logger): void {
  hook.intercept({
    register: (tap) => {
      const { fn, name } = tap as typeof tap & { fn: () => void };
      const guarded = (): void => {
        try {
          fn();
        } catch (error) {
          log.error('a tap of an applied configuration failed', { tap: name, error });
        }
      };
      return { ...tap, fn: guarded };
    },
  });
}
