/** The draft before it is applied: what differs, what the server would do, what it warns of. */
import { useSignal } from '@preact/signals';
import { lacking } from '../../api/session.ts';
import { copy, CopyAsCurl } from '../../parts/action.tsx';
import { Problem } from '../../parts/basic.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Differences } from '../../parts/differences.tsx';
import { applyCall, changes, draft } from '../../state/configuration.ts';
import { applyDraft, busy, outdated, plan, refusal, tryDraft } from '../../state/plan.ts';
import { Elsewhere } from './elsewhere.tsx';
import { Findings } from './findings.tsx';
import { PlannedModules } from './planned-modules.tsx';
import { ThreeWays } from './three-ways.tsx';

const waits: readonly (readonly [seconds: number, title: string])[] = [
  [0, 'Keep it at once'],
  [60, 'Undo it unless I confirm within a minute'],
  [300, 'Undo it unless I confirm within five minutes'],
  [3600, 'Undo it unless I confirm within an hour'],
];

/** The dialog. It is gone when the change is in force. */
export function Review({ onClose }: { onClose: () => void }) {
  const wait = useSignal(0);
  if (draft.value === null) return null;
  const confirmWithin = wait.value === 0 ? undefined : wait.value;
  const call = applyCall(confirmWithin === undefined ? {} : { confirmWithin });
  const lack = lacking(call);
  return (
    <Dialog title="Review the change" onClose={onClose}>
      <div class="review">
        {refusal.value !== null && !outdated.value && <Problem>{refusal.value}</Problem>}
        {outdated.value && <ThreeWays onMerged={() => void tryDraft()} />}
        {busy.value && plan.value === null && <p class="soft pad">The server tries it …</p>}
        {plan.value?.changed === false && (
          <p class="pad">It changes nothing: the configuration in force says the same.</p>
        )}
        <Differences operations={plan.value?.patch ?? changes.value} base={draft.value.base} />
        {plan.value !== null && (
          <>
            <Findings findings={plan.value.warnings ?? []} />
            <PlannedModules plan={plan.value} />
            {plan.value.requests !== undefined && <Elsewhere {...plan.value.requests} />}
          </>
        )}
      </div>
      <footer class="row pad">
        <select
          aria-label="How it is kept"
          value={String(wait.value)}
          onChange={(event) => void (wait.value = Number(event.currentTarget.value))}
        >
          {waits.map(([seconds, title]) => (
            <option key={seconds} value={String(seconds)}>
              {title}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="main"
          disabled={busy.value || lack !== null || plan.value === null || !plan.value.changed}
          title={lack ?? undefined}
          onClick={() => void applyDraft(confirmWithin)}
        >
          Apply
        </button>
        <CopyAsCurl call={call} />
        <button type="button" onClick={() => void copy(JSON.stringify(changes.value, null, 2), 'The patch')}>
          Copy as JSON Patch
        </button>
        {lack !== null && <span class="lack">{lack}</span>}
      </footer>
    </Dialog>
  );
}
