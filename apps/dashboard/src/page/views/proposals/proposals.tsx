/** Proposed changes: list, effects, approval and withdrawal. */
import { calls } from '../../api/calls.ts';
import { count, localDateTime, relative } from '../../base/format.ts';
import type { Health } from '../../base/health.ts';
import { Card, Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { adjust, place } from '../../state/location.ts';
import type { ProposalHead, ProposalState } from '../../state/proposals.ts';
import { useRead } from '../../state/read.ts';
import { Details } from './details.tsx';

/** Interval of reads in milliseconds. No event reports new proposals. */
const every = 5000;

const states: Readonly<Record<ProposalState, readonly [health: Health, title: string]>> = {
  open: ['warn', 'Open'],
  applied: ['ok', 'Applied'],
  rolling_out: ['ok', 'Rolling out'],
  withdrawn: ['idle', 'Withdrawn'],
};

export function Proposals() {
  const { value, problem, again } = useRead<readonly ProposalHead[]>(calls.proposals(), every);
  const open = place.value.values['proposal'] ?? '';
  return (
    <>
      <Heading title="Proposals" />
      {problem !== null && <Problem>{problem}</Problem>}
      {value === null && problem === null && <p class="soft">Loading…</p>}
      {value?.length === 0 && (
        <Empty>
          No proposals. To propose a change, edit the configuration, review the draft and choose Propose. Another client
          can approve the proposal here.
        </Empty>
      )}
      <ol class="timeline">
        {value?.map((proposal) => (
          <OneProposal
            key={proposal.id}
            proposal={proposal}
            open={open === String(proposal.id)}
            onToggle={() => adjust({ proposal: open === String(proposal.id) ? '' : String(proposal.id) })}
            onClosed={again}
          />
        ))}
      </ol>
    </>
  );
}

interface OneProposalProps {
  readonly proposal: ProposalHead;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Called after approval or withdrawal. */
  readonly onClosed: () => void;
}

function OneProposal({ proposal, open, onToggle, onClosed }: OneProposalProps) {
  const { id, title, state, by, at, closed_by: closedBy, changes } = proposal;
  const [health, name] = states[state];
  return (
    <li>
      <Card
        title={`Proposal ${id}`}
        side={
          <>
            <State health={health}>{name}</State>
            <button type="button" aria-expanded={open} onClick={onToggle}>
              {open ? 'Hide details' : 'Show details'}
            </button>
          </>
        }
      >
        <div class="pad">
          <div class="proposed">{title}</div>
          <div class="soft">
            <time dateTime={at}>{localDateTime(at)}</time>
            {` (${relative(at)}) · ${by === null ? '' : `by ${by} · `}${count(changes, 'edit')}`}
            {closedBy !== undefined && ` · ${state === 'applied' ? 'approved' : 'withdrawn'} by ${closedBy}`}
          </div>
        </div>
        {open && <Details id={id} state={state} onClosed={onClosed} />}
      </Card>
    </li>
  );
}
