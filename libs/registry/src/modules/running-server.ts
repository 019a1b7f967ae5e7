/** The running server as packages access it: configuration, apps, services and hooks. */
import type { ConfigPath, Json, Logger } from '@sluice/base';
import type { AppLookup } from './app-lookup.ts';
import type { ChangeHooks } from './change-hooks.ts';
import type { ModuleLookup } from './known-module.ts';
import type { Token } from './namespace.ts';

/** Maps configuration paths to source locations. */
export interface ConfigOrigin {
  placeOf(path: ConfigPath, document: Json): { readonly file: string; readonly line: number } | null;
}

/** Argument of the taps of `Registry.hooks.server` and `Registry.hooks.adminRoutes`, in the control thread. */
export interface RunningServer extends AppLookup {
  /** The active configuration. */
  readonly document: Json;
  /**
   * Configuration from which the apps of this machine were created. It differs from `document` if the fleet applies an overlay to this
   * member, or if a change is being tested.
   */
  readonly effective: Json;
  readonly registry: ModuleLookup;
  readonly log: Logger;
  readonly hooks: ChangeHooks;
  /**
   * Builds a configuration without activating it, calls `during` with its apps, and disposes of it. Rejects if the configuration is
   * invalid.
   *
   * Other changes wait. If `document` is a function, it is called when this task reaches the front of the change queue, and may throw.
   */
  tryOut(document: Json | (() => Json), during: (apps: AppLookup) => Promise<void>): Promise<void>;
  /** Source locations of the configuration; `null` if unknown. */
  readonly sources: ConfigOrigin | null;
  service<T>(token: Token<T>): T | undefined;
}
