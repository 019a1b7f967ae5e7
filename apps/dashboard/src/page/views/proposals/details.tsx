/** One proposal: reason, edits, warnings and behavior, and the actions to close it. */
import { useMemo } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { patched } from '../../base/difference.ts';
import { Action } from '../../parts/action.tsx';
import { Problem } from '../../parts/basic.tsx';
import { Behavior } from '../../parts/behavior.tsx';
import { Shadow } from '../../parts/shadow.tsx';
import { Tests } from '../../parts/tests.tsx';
import { Differences } from '../../parts/differences.tsx';
import { Findings } from '../../parts/findings.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { inForce } from '../../state/configuration.ts';
import type { Plan } from '../../state/plan.ts';
import type { ProposalState } from '../../state/proposals.ts';
import { useRead } from '../../state/read.ts';

/** Time to confirm an approved change, in seconds. */
const confirmWithin = 60;

/** Response of `GET /proposals/{id}`. */
interface Proposal {
  readonly reason: string;
  /** Result of its dry run. */
  readonly report: Plan;
}

interface DetailsProps {
  readonly id: number;
  readonly state: ProposalState;
  readonly onClosed: () => void;
}

export function Details({ id, state, onClosed }: DetailsProps) {
  const { value, problem } = useRead<Proposal>(calls.proposal({ id }));
  if (problem !== null) return <Problem>{problem}</Problem>;
  if (value === null) return <p class="pad soft">Loading…</p>;
  return (
    <>
      {value.reason !== '' && <blockquote class="reason">{value.reason}</blockquote>}
      <Effects proposal={value} isOpen={state === 'open'} />
      <div class="row pad">
        {state === 'open' && <Decision id={id} onClosed={onClosed} />}
        <Action
          label="Download report"
          call={calls.report({ id }, { query: { format: 'html' } })}
          onDone={(_, page) => saveFile(`proposal-${id}.html`, 'text/html', page)}
        />
      </div>
    </>
  );
}

/**
 * Shows the edits with old values while the proposal is open. By the time it is shown, the current configuration may
 * have changed.
 */
function Effects({ proposal: { report }, isOpen }: { proposal: Proposal; isOpen: boolean }) {
  const { patch, warnings = [], behavior, shadow, tests } = report;
  const before = isOpen ? inForce.value.value : undefined;
  const after = useMemo(() => patched(before, patch), [before, patch]);
  return (
    <>
      <Differences operations={patch} base={before} />
      <Findings findings={warnings} />
      <Behavior report={behavior} before={before} after={after} />
      {shadow !== undefined && <Shadow report={shadow} before={before} after={after} />}
      {tests !== undefined && <Tests report={tests} />}
    </>
  );
}

function Decision({ id, onClosed }: { id: number; onClosed: () => void }) {
  return (
    <>
      <Action
        label="Approve"
        kind="main"
        call={calls.approve({ id })}
        sure={`Approve proposal ${id}? The change takes effect immediately.`}
        done={`Proposal ${id} approved and applied`}
        onDone={onClosed}
      />
      <Action
        label="Approve with auto-rollback after 1 min"
        call={calls.approve({ id }, { query: { confirm_within: `${confirmWithin}s` } })}
        sure={`Approve proposal ${id}? The change will be rolled back after ${confirmWithin} s unless you confirm it.`}
        done={`Proposal ${id} approved. The change will be rolled back after ${confirmWithin} s unless you confirm it.`}
        onDone={onClosed}
      />
      <Action
        label="Withdraw"
        kind="danger"
        call={calls.withdraw({ id })}
        sure={`Withdraw proposal ${id}?`}
        done={`Proposal ${id} withdrawn`}
        onDone={onClosed}
      />
    </>
  );
}
