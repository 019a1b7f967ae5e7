/** Persists applied changes: taps the change hooks for a {@link ConfigStore}. */
import { isObject, own, type Json } from '@sluice/base';
import type { ChangeHooks } from '@sluice/registry';
import type { History } from './history.ts';
import type { ConfigStore } from './store.ts';

/** Passes documents and history to a store. Called once, by the reconciler. */
export function persistChanges(store: ConfigStore, history: History, hooks: ChangeHooks): void {
  const kept = store.history;
  if (kept !== null) {
    hooks.committed.tap('history file', ({ revision, time, origin, by, operations, document }) => {
      if (isToBeSaved(document)) kept.record({ revision, time, origin, by, operations }, document, history);
      else kept.interrupt(document);
    });
  }
  hooks.kept.tap('autosave', ({ document, operations, waitUntil }) => {
    // Asynchronous, so that synchronous exceptions of the store are reported to the client, too.
    const save = async (): Promise<void> => store.save(document, operations);
    if (isToBeSaved(document)) waitUntil(save());
  });
}

/** Reports whether the document should be saved: `admin.config.persist` is not false. */
function isToBeSaved(document: Json): boolean {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  const settings = isObject(admin) ? own(admin, 'config') : undefined;
  return !(isObject(settings) && own(settings, 'persist') === false);
}
