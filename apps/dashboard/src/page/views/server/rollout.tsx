/** The current or last rollout: progress, failures, and controls. */
import { calls, type Call } from '../../api/calls.ts';
import { count, short } from '../../base/format.ts';
import type { Health } from '../../base/health.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Problem, State } from '../../parts/basic.tsx';
import { isInProgress, type Rollout, type Seen } from '../../state/fleet.ts';
import { useRead } from '../../state/read.ts';

const states: Readonly<Record<string, readonly [Health, string]>> = {
  spreading: ['ok', 'Rolling out'],
  holding: ['ok', 'Observing'],
  paused: ['warn', 'Paused'],
  promoting: ['ok', 'Rolling out to all'],
  promoted: ['ok', 'Completed'],
  taken_back: ['bad', 'Rolled back'],
};

interface Orders {
  readonly pause: Call;
  readonly resume: Call;
  readonly abort: Call;
  /** Question before the rollout is aborted. */
  readonly sure: string;
  readonly promote?: Call;
}

/** Interval of reads, in milliseconds. */
const every = 1000;

export function StepsPanel() {
  const { value, problem, again } = useRead<Rollout>(calls.rollout(), every);
  if (value === null) return problem === null ? null : <Problem>Cannot read the rollout: {problem}</Problem>;
  if (value.state === 'none') return null;
  const orders = {
    pause: calls.pauseSteps(),
    resume: calls.resumeSteps(),
    abort: calls.abortSteps(),
    sure: 'Abort the rollout? All new requests will be handled without the change.',
    promote: calls.promoteSteps(),
  };
  return <RolloutCard rollout={value} orders={orders} onChange={again} />;
}

export function FleetRollout({ rollout, onChange }: { rollout: Rollout; onChange: () => void }) {
  const orders = {
    pause: calls.pauseRollout(),
    resume: calls.resumeRollout(),
    abort: calls.abortRollout(),
    sure: 'Abort the rollout? The change will be rolled back on all members that have applied it.',
  };
  return <RolloutCard rollout={rollout} orders={orders} onChange={onChange} />;
}

function RolloutCard({ rollout, orders, onChange }: { rollout: Rollout; orders: Orders; onChange: () => void }) {
  const { state, why, stage, stages = [], held_seconds: held, hold_seconds: hold = 0 } = rollout;
  const [health, word] = states[state] ?? ['idle', state];
  const isLive = isInProgress(rollout);
  const last = Math.max(1, stages.length - 1);
  const part = hold === 0 ? 0 : Math.min(1, held / hold);
  const done = state === 'promoted' ? 1 : Math.min(1, (stage + (isLive ? part : 0)) / last);
  return (
    <Card
      title={isLive ? 'Rollout' : 'Last rollout'}
      side={
        isLive && (
          <>
            {state === 'paused' ? (
              <Action label="Resume" call={orders.resume} done="Rollout resumed" onDone={onChange} />
            ) : (
              <Action label="Pause" call={orders.pause} done="Rollout paused" onDone={onChange} />
            )}
            {orders.promote !== undefined && (
              <Action
                label="Apply now"
                call={orders.promote}
                sure="Apply the change to all requests now, without further stages?"
                done="Change applied"
                onDone={onChange}
              />
            )}
            <Action
              label="Abort"
              kind="danger"
              call={orders.abort}
              sure={orders.sure}
              done="Rollout aborted"
              onDone={onChange}
            />
          </>
        )
      }
    >
      <div class="pad">
        <progress aria-label="Rollout progress" max={1} value={done} />
        <p>
          <State health={health}>{word}</State> {why !== undefined && <span>{why}</span>}
        </p>
        <ol class="stages" aria-label="Stages">
          {stages.map((each, index) => (
            <li key={index} aria-current={isLive && index === stage ? 'step' : undefined}>
              {each}
              {index < stage || state === 'promoted' ? ' ✓' : ''}
              {isLive && index === stage && hold > 0 && (
                <span class="soft">
                  {' '}
                  {Math.round(held)} of {hold} s
                </span>
              )}
            </li>
          ))}
        </ol>
        <Facts rollout={rollout} />
      </div>
    </Card>
  );
}

function Facts({ rollout: { members = [], split_by: split, seen, by } }: { rollout: Rollout }) {
  return (
    <dl class="facts">
      <dt>With the change</dt>
      <dd>
        {seenText(seen?.new)}
        {members.length > 0 && `: ${members.join(', ')}`}
      </dd>
      <dt>Without the change</dt>
      <dd>{seenText(seen?.old)}</dd>
      {split !== undefined && (
        <>
          <dt>Split by</dt>
          <dd>{split}</dd>
        </>
      )}
      {by !== undefined && (
        <>
          <dt>Started by</dt>
          <dd>{by}</dd>
        </>
      )}
    </dl>
  );
}

function seenText(seen: Seen | undefined): string {
  if (seen === undefined) return '–';
  const { requests, failures, upstream_failures: upstream = 0, latency_ms: latency } = seen;
  const cause = upstream > 0 ? ` (${short(upstream)} by upstreams)` : '';
  const times = latency === undefined ? '' : `, p50 ${latency.p50} ms, p95 ${latency.p95} ms, p99 ${latency.p99} ms`;
  return `${count(requests, 'request')}, ${short(failures)} failed${cause}${times}`;
}
