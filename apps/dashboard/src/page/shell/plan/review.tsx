/** Review of the draft before it is applied: diff, affected modules, warnings. */
import { useSignal } from '@preact/signals';
import { calls } from '../../api/calls.ts';
import { lacking } from '../../api/session.ts';
import { withoutSecretsIn } from '../../base/secrets.ts';
import { copySealed, CopyAsCurl } from '../../parts/action.tsx';
import { Problem } from '../../parts/basic.tsx';
import { Behavior } from '../../parts/behavior.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Differences } from '../../parts/differences.tsx';
import { Shadow } from '../../parts/shadow.tsx';
import { Tests } from '../../parts/tests.tsx';
import { Findings } from '../../parts/findings.tsx';
import { changes, draft } from '../../state/configuration.ts';
import { inFleet } from '../../state/fleet.ts';
import {
  applyDraft,
  busy,
  changeCall,
  fixDraft,
  lackToReplay,
  outdated,
  plan,
  refusal,
  rejectedByPolicy,
  replayRequests,
  tryDraft,
  type ChangeOptions,
} from '../../state/plan.ts';
import { lackToPropose } from '../../state/proposals.ts';
import { ruler } from '../../state/ruler.ts';
import { has } from '../../state/server.ts';
import { PlannedModules } from './planned-modules.tsx';
import { Propose } from './propose.tsx';
import { ThreeWays } from './three-ways.tsx';

/** Timeouts of the automatic rollback. */
const waits: readonly (readonly [seconds: number, title: string])[] = [
  [60, '1 min'],
  [300, '5 min'],
  [3600, '1 h'],
];

type Stages = readonly (readonly [stages: string, title: string])[];

/** Rollout stages in a fleet. The first option applies the change to all members immediately. */
const fleetStages: Stages = [
  ['', 'All members immediately'],
  ['canary:1,10%,50%,all', '1 member, 10%, 50%, all'],
  ['canary:1,all', '1 member, then all'],
];

/** Rollout stages of a single server. The first option applies the change to all requests immediately. */
const serverStages: Stages = [
  ['', 'All requests immediately'],
  ['1%,10%,50%,all', '1%, 10%, 50%, all requests'],
  ['10%,all;hold=60s', '10%, then all requests'],
];

export function Review({ onClose }: { onClose: () => void }) {
  const wait = useSignal(60);
  const rollout = useSignal('');
  const isProposing = useSignal(false);
  if (draft.value === null) return null;
  const options: ChangeOptions = rollout.value === '' ? {} : { rollout: rollout.value };
  const call = changeCall(options);
  const lack = lacking(call);
  const isInvalid = busy.value || plan.value === null || !plan.value.changed;
  const isDisabled = isInvalid || lack !== null;
  const canPropose = lackToPropose() === null;
  const propose = (): void => void (isProposing.value = true);
  return (
    <Dialog title="Review changes" onClose={onClose}>
      <div class="review">
        {ruler.value !== null && <Problem>{ruler.value}</Problem>}
        {refusal.value !== null && !outdated.value && (
          <Problem>
            {refusal.value}
            {rejectedByPolicy.value && canPropose && !isProposing.value && (
              <div class="row">
                <button type="button" onClick={propose}>
                  Propose instead
                </button>
              </div>
            )}
          </Problem>
        )}
        {outdated.value && <ThreeWays onMerged={() => void tryDraft()} />}
        {busy.value && plan.value === null && <p class="soft pad">Validating on the server…</p>}
        {plan.value?.changed === false && (
          <p class="pad">The draft is equivalent to the current configuration. There is nothing to apply.</p>
        )}
        {!outdated.value && <Differences operations={plan.value?.patch ?? changes.value} base={draft.value.base} />}
        {plan.value !== null && (
          <>
            <Findings findings={plan.value.warnings ?? []} onFix={fixDraft} />
            {plan.value.changed && (
              <Behavior report={plan.value.behavior} before={draft.value.base} after={draft.value.value} />
            )}
            {plan.value.shadow !== undefined && (
              <Shadow report={plan.value.shadow} before={draft.value.base} after={draft.value.value} />
            )}
            {plan.value.tests !== undefined && <Tests report={plan.value.tests} />}
            <PlannedModules plan={plan.value} />
          </>
        )}
      </div>
      {isProposing.value ? (
        <footer>
          <Propose onCancel={() => void (isProposing.value = false)} />
        </footer>
      ) : (
        <footer class="row pad">
          {(inFleet.value || has(calls.rollout)) && (
            <select
              aria-label="Rollout"
              value={rollout.value}
              onChange={(event) => void (rollout.value = event.currentTarget.value)}
            >
              {(inFleet.value ? fleetStages : serverStages).map(([stages, title]) => (
                <option key={stages} value={stages}>
                  {title}
                </option>
              ))}
            </select>
          )}
          {ruler.value !== null && <CopyPatch isMain />}
          <button
            type="button"
            class={ruler.value === null && lack === null ? 'main' : 'plain'}
            disabled={isDisabled}
            title={lack ?? undefined}
            onClick={() => void applyDraft(options)}
          >
            {ruler.value === null ? 'Apply' : 'Apply anyway'}
          </button>
          <span class="split">
            <button
              type="button"
              disabled={isDisabled || rollout.value !== ''}
              title="Rolls back the change unless you confirm it in time"
              onClick={() => void applyDraft({ confirmWithin: wait.value })}
            >
              Apply with auto-rollback after {waits.find(([seconds]) => seconds === wait.value)?.[1]}
            </button>
            <select
              aria-label="Auto-rollback after"
              value={String(wait.value)}
              onChange={(event) => void (wait.value = Number(event.currentTarget.value))}
            >
              {waits.map(([seconds, title]) => (
                <option key={seconds} value={String(seconds)}>
                  {title}
                </option>
              ))}
            </select>
          </span>
          <button
            type="button"
            disabled={isInvalid || lackToReplay() !== null}
            title={
              lackToReplay() ??
              'Sends recorded requests through both configurations for up to 10 s and compares the responses'
            }
            onClick={() => void replayRequests()}
          >
            Replay requests
          </button>
          {canPropose && (
            <button
              type="button"
              class={lack === null ? 'plain' : 'main'}
              disabled={isInvalid}
              title="Lets another client review and approve the change"
              onClick={propose}
            >
              Propose
            </button>
          )}
          <CopyAsCurl call={call} />
          {ruler.value === null && <CopyPatch />}
          {lack !== null && <span class="lack">{lack}</span>}
        </footer>
      )}
    </Dialog>
  );
}

/** Copies the draft as a JSON Patch without its secrets. */
function CopyPatch({ isMain = false }: { isMain?: boolean }) {
  return (
    <button
      type="button"
      class={isMain ? 'main' : 'plain'}
      onClick={() => void copySealed(JSON.stringify(withoutSecretsIn(changes.value), null, 2), 'Patch')}
    >
      Copy as JSON Patch
    </button>
  );
}
