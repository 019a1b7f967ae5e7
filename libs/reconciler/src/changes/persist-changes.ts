/** Persists applied changes: taps the change hooks for a {@link ConfigStore}. */
import { isObject, messageOf, own, type Json, type Logger } from '@sluice/base';
import type { ChangeHooks, PatchOperation } from '@sluice/registry';
import type { History } from './history.ts';
import type { ConfigStore } from './store.ts';

/** Passes documents and history to a store. Called once, by the reconciler. */
export function persistChanges(store: ConfigStore, history: History, hooks: ChangeHooks): void {
  const kept = store.history;
  if (kept !== null) {
    hooks.committed.tap('history file', ({ revision, time, origin, by, operations, document }) => {
      if (isPersisted(document)) kept.record({ revision, time, origin, by, operations }, document, history);
      else kept.interrupt(document);
    });
  }
  hooks.kept.tap('autosave', ({ document, operations, waitUntil }) => {
    // The function is asynchronous so that the client also receives synchronous exceptions of the store.
    const save = async (): Promise<void> => store.save(document, operations);
    if (isPersisted(document)) waitUntil(save());
  });
}

/** Reports whether the document should be saved: `admin.config.persist` is not false. */
export function isPersisted(document: Json): boolean {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  const settings = isObject(admin) ? own(admin, 'config') : undefined;
  return !(isObject(settings) && own(settings, 'persist') === false);
}

/** Calls the hook `kept`. Resolves with the reason why the document could not be saved, or `null`. */
export async function saveChange(
  hooks: ChangeHooks,
  log: Logger,
  change: { readonly document: Json; readonly operations: readonly PatchOperation[] },
): Promise<string | null> {
  const work: Promise<unknown>[] = [];
  hooks.kept.call({ ...change, waitUntil: (each) => void work.push(each) });
  try {
    await Promise.all(work);
    return null;
  } catch (error) {
    // The configuration is active, so this is not a failure, but a warning that a restart would lose the change.
    log.error('configuration was applied but could not be saved', { error });
    return messageOf(error);
  }
}
