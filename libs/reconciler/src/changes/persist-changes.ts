/** Persists applied changes in a {@link ConfigStore}, using the change hooks. */
import { isObject, messageOf, own, type Json, type Logger } from '@sluice/base';
import type { ChangeHooks, PatchOperation } from '@sluice/registry';
import type { History } from './history.ts';
import type { ConfigStore } from './store.ts';

/** Connects the documents and the history to a store. The reconciler calls this once. */
export function persistChanges(store: ConfigStore, history: History, hooks: ChangeHooks): void {
  const kept = store.history;
  if (kept !== null) {
    hooks.committed.tap('history file', ({ revision, time, origin, by, operations, document }) => {
      if (isPersisted(document)) kept.record({ revision, time, origin, by, operations }, document, history);
      else kept.interrupt(document);
    });
  }
  hooks.kept.tap('autosave', ({ document, operations, waitUntil }) => {
    // Use an async function, so that synchronous exceptions of the store also reach the client.
    const save = async (): Promise<void> => store.save(document, operations);
    if (isPersisted(document)) waitUntil(save());
  });
}

/** Reports whether the document should be saved. This is the case unless `admin.config.persist` is false. */
export function isPersisted(document: Json): boolean {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  const settings = isObject(admin) ? own(admin, 'config') : undefined;
  return !(isObject(settings) && own(settings, 'persist') === false);
}

/** Calls the `kept` hook. Resolves with `null`, or with the reason why the document could not be saved. */
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
    // The configuration is active, so the change has not failed. The client only receives a warning that a restart would lose the change.
    log.error('configuration was applied but could not be saved', { error });
    return messageOf(error);
  }
}
