/** Hooks of one applied configuration. Tapable cannot untap, so each application has hooks of its own. */
import { AsyncSeriesHook, SyncHook } from 'tapable';
import type { Json } from '../config/json.ts';

/** Something that was provisioned: its module id and where it stands. */
export interface ProvisionEvent {
  readonly id: string;
  readonly where: string;
}

/**
 * Seams of one application of a configuration. Tap them from `Registry.hooks.generation`.
 * Order: `beforeProvision`, per module `provisioned`, `beforeCommit` (may refuse), `committed`, `retired`.
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

  constructor(config: Json) {
    this.config = config;
  }
}
