/** The running server as packages see it that follow it: its configuration, apps, services and hooks. */
import type { ConfigPath, Json, Logger } from '@sluice/base';
import type { AppLookup } from './app-lookup.ts';
import type { ChangeHooks } from './change-hooks.ts';
import type { ModuleLookup } from './known-module.ts';
import type { Token } from './namespace.ts';

/** Finds where values of a document were written. */
export interface ConfigOrigin {
  /** `null` for what does not come from a file. */
  placeOf(path: ConfigPath, document: Json): { readonly file: string; readonly line: number } | null;
}

/** Given to the taps of `Registry.hooks.server` and `Registry.hooks.adminRoutes`, in the control thread. */
export interface RunningServer extends AppLookup {
  /** The configuration in force. */
  readonly document: Json;
  /**
   * The same as this machine serves it, which its apps were made of: another one where it is a member of a fleet that has something laid
   * over the document, or that tries out a change.
   */
  readonly effective: Json;
  readonly registry: ModuleLookup;
  readonly log: Logger;
  /** The life of changes. */
  readonly hooks: ChangeHooks;
  /**
   * Builds a configuration without putting it in force, lets `during` look at its apps, and drops it. Rejects with what is
   * wrong with it. Changes wait meanwhile. A function is called when it is the document's turn, and may throw instead.
   */
  tryOut(document: Json | (() => Json), during: (apps: AppLookup) => Promise<void>): Promise<void>;
  /** Where the configuration was written; `null` where that is not known. */
  readonly sources: ConfigOrigin | null;
  /** A service of the control thread; `undefined` if it has none of this token. */
  service<T>(token: Token<T>): T | undefined;
}
