/** Bar shown on every page while a draft exists: number of changes, undo, discard, review. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count } from '../../base/format.ts';
import { canUndo, changes, discard, draft, undo } from '../../state/configuration.ts';
import { mayDiscard } from '../../state/kept-draft.ts';
import { plan, refusal, tryDraft } from '../../state/plan.ts';
import { Review } from './review.tsx';

export function PlanBar() {
  const open = useSignal(false);
  const none = draft.value === null;
  useEffect(() => {
    if (none) open.value = false;
  }, [none]);
  if (none) return null;
  const number = changes.value.length;
  const review = (): void => {
    open.value = true;
    void tryDraft();
  };
  const drop = (): void => {
    if (!mayDiscard()) return;
    discard();
    plan.value = null;
    refusal.value = null;
  };
  return (
    <>
      <div class="plan-bar" role="region" aria-label="Draft">
        <span>
          ▲ <strong>{number === 0 ? 'No changes' : count(number, 'change')}</strong> in the draft
        </span>
        <span class="actions">
          <button type="button" disabled={!canUndo.value} onClick={undo}>
            Undo
          </button>
          <button type="button" onClick={drop}>
            Discard
          </button>
          <button type="button" class="main" disabled={number === 0} onClick={review}>
            Review and apply
          </button>
        </span>
      </div>
      {open.value && <Review onClose={() => void (open.value = false)} />}
    </>
  );
}
