/** Stores the tab's draft across page reloads, and asks for confirmation before a draft is lost. */
import { effect } from '@preact/signals';
import { count } from '../base/format.ts';
import { keepDraft, restoreDraft, type KeptDraft } from '../base/kept-draft.ts';
import { changes, discard, draft, inForce } from './configuration.ts';
import { say } from './notices.ts';

const storageKey = 'sluice-draft';

/** Delay from the last edit until the draft is stored, in milliseconds. */
const delay = 300;

/**
 * Restores the draft once the configuration has been read, and stores the draft after each edit. Stops when the returned function is
 * called.
 */
export function keepDrafts(): () => void {
  // Read the configuration only if there is a draft to restore.
  let isRestored = sessionStorage.getItem(storageKey) === null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (isRestored) store();
  };
  const ask = (event: BeforeUnloadEvent): void => {
    // Browsers show the prompt only if the user has interacted with the page.
    if (draft.value !== null && navigator.userActivation.hasBeenActive) event.preventDefault();
  };
  const stop = effect(() => {
    const hasDraft = draft.value !== null;
    if (!isRestored) {
      if (inForce.value.value === undefined) return;
      isRestored = true;
      if (!hasDraft) restore();
    }
    clearTimeout(timer);
    timer = setTimeout(store, delay);
  });
  addEventListener('beforeunload', ask);
  addEventListener('pagehide', flush);
  return () => {
    stop();
    flush();
    removeEventListener('beforeunload', ask);
    removeEventListener('pagehide', flush);
  };
}

/** Asks the user whether the draft may be discarded. Returns `true` if there is no draft. */
export function mayDiscard(): boolean {
  const number = changes.value.length;
  return number === 0 || confirm(`Discard the draft with ${count(number, 'change')}?`);
}

function store(): void {
  try {
    if (draft.value === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(keepDraft(draft.value)));
  } catch {
    // The draft is too large for the browser's storage, so remove the outdated copy.
    sessionStorage.removeItem(storageKey);
  }
}

function restore(): void {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return;
  try {
    const { draft: restored, lost } = restoreDraft(JSON.parse(text) as KeptDraft, inForce.peek());
    draft.value = restored;
    if (restored !== null) say('ok', 'Draft restored');
    if (lost > 0)
      say(
        'bad',
        `${count(lost, 'secret')} in the draft could not be restored, because drafts are saved without secrets. Enter the missing secrets again.`,
      );
  } catch {
    discard();
  }
}
