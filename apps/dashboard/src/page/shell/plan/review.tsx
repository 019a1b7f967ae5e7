/** The draft before it is applied: what differs, what the server would do, what it warns of. */
import { useSignal } from '@preact/signals';
import { lacking } from '../../api/session.ts';
import { withoutSecretsIn } from '../../base/secrets.ts';
import { copySealed, CopyAsCurl } from '../../parts/action.tsx';
import { Problem } from '../../parts/basic.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Differences } from '../../parts/differences.tsx';
import { changes, draft } from '../../state/configuration.ts';
import { inFleet } from '../../state/fleet.ts';
import {
  applyDraft,
  busy,
  changeCall,
  outdated,
  plan,
  refusal,
  tryDraft,
  type ChangeOptions,
} from '../../state/plan.ts';
import { ruler } from '../../state/ruler.ts';
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

/** Stages of changes in a fleet; the first is none. */
const rollouts: readonly (readonly [stages: string, title: string])[] = [
  ['', 'All members at once'],
  ['canary:1,10%,50%,all', 'One member, a tenth, half, all'],
  ['canary:1,all', 'One member, then all'],
];

/** The dialog. It is gone when the change is in force. */
export function Review({ onClose }: { onClose: () => void }) {
  const wait = useSignal(0);
  const rollout = useSignal('');
  if (draft.value === null) return null;
  const options = optionsOf(wait.value, rollout.value);
  const call = changeCall(options);
  const lack = lacking(call);
  return (
    <Dialog title="Review the change" onClose={onClose}>
      <div class="review">
        {ruler.value !== null && <Problem>{ruler.value}</Problem>}
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
        {inFleet.value && (
          <select
            aria-label="How it reaches the fleet"
            value={rollout.value}
            disabled={wait.value !== 0}
            onChange={(event) => void (rollout.value = event.currentTarget.value)}
          >
            {rollouts.map(([stages, title]) => (
              <option key={stages} value={stages}>
                {title}
              </option>
            ))}
          </select>
        )}
        {ruler.value !== null && <CopyPatch isMain />}
        <button
          type="button"
          class={ruler.value === null ? 'main' : 'plain'}
          disabled={busy.value || lack !== null || plan.value === null || !plan.value.changed}
          title={lack ?? undefined}
          onClick={() => void applyDraft(options)}
        >
          {ruler.value === null ? 'Apply' : 'Apply all the same'}
        </button>
        <CopyAsCurl call={call} />
        {ruler.value === null && <CopyPatch />}
        {lack !== null && <span class="lack">{lack}</span>}
      </footer>
    </Dialog>
  );
}

/** The draft as a file of its operations. What is secret in it is left out. */
function CopyPatch({ isMain = false }: { isMain?: boolean }) {
  return (
    <button
      type="button"
      class={isMain ? 'main' : 'plain'}
      onClick={() => void copySealed(JSON.stringify(withoutSecretsIn(changes.value), null, 2), 'The patch')}
    >
      Copy as JSON Patch
    </button>
  );
}

function optionsOf(wait: number, rollout: string): ChangeOptions {
  if (wait > 0) return { confirmWithin: wait };
  return rollout === '' ? {} : { rollout };
}
