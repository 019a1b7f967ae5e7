/** The current or last rollout of a fleet: progress, failures, and controls. */
import { calls } from '../../api/calls.ts';
import { count, short } from '../../base/format.ts';
import type { Health } from '../../base/health.ts';
import { Action } from '../../parts/action.tsx';
import { Card, State } from '../../parts/basic.tsx';
import { isInProgress, type FleetRollout, type Seen } from '../../state/fleet.ts';

const states: Readonly<Record<string, readonly [Health, string]>> = {
  spreading: ['ok', 'Rolling out'],
  holding: ['ok', 'Observing'],
  paused: ['warn', 'Paused'],
  promoting: ['ok', 'Rolling out to all members'],
  promoted: ['ok', 'Completed'],
  taken_back: ['bad', 'Rolled back'],
};

export function Rollout({ rollout, onChange }: { rollout: FleetRollout; onChange: () => void }) {
  const { state, why, stage, stages = [], held_seconds: held, hold_seconds: hold = 0, members, seen, by } = rollout;
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
              <Action label="Resume" call={calls.resumeRollout()} done="Rollout resumed" onDone={onChange} />
            ) : (
              <Action label="Pause" call={calls.pauseRollout()} done="Rollout paused" onDone={onChange} />
            )}
            <Action
              label="Abort"
              kind="danger"
              call={calls.abortRollout()}
              sure="Abort the rollout? The change will be rolled back on all members that have applied it."
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
        <dl class="facts">
          <dt>With the change</dt>
          <dd>
            {seenText(seen?.new)}
            {members.length > 0 && `: ${members.join(', ')}`}
          </dd>
          <dt>Without the change</dt>
          <dd>{seenText(seen?.old)}</dd>
          {by !== undefined && (
            <>
              <dt>Started by</dt>
              <dd>{by}</dd>
            </>
          )}
        </dl>
      </div>
    </Card>
  );
}

function seenText(seen: Seen | undefined): string {
  return seen === undefined ? '–' : `${count(seen.requests, 'request')}, ${short(seen.failures)} failed`;
}
