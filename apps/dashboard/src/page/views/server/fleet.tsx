/** The fleet that the server is in: its members, how far each is, and the roll-out under way. */
import { calls } from '../../api/calls.ts';
import { relative } from '../../base/format.ts';
import type { Health } from '../../base/health.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Problem, State } from '../../parts/basic.tsx';
import { actionColumn, numberColumns, Table } from '../../parts/table.tsx';
import type { Fleet, FleetMember } from '../../state/fleet.ts';
import { useRead } from '../../state/read.ts';
import { Rollout } from './rollout.tsx';

const every = 2000;

/** The panel. It is drawn where the server says that it is in a fleet. */
export function FleetPanel() {
  const { value, problem, again } = useRead<Fleet>(calls.fleet(), every);
  if (value === null) return problem === null ? null : <Problem>The fleet cannot be seen: {problem}</Problem>;
  const { cluster, member, revision, members, store_away: away, forked, rejected, rollout } = value;
  return (
    <>
      <Card title={`Fleet ${cluster}, revision ${revision}`}>
        {away !== undefined && (
          <Problem>
            The store cannot be reached since {relative(away.since)}: {away.reason}. Requests are served; changes wait.
          </Problem>
        )}
        {forked !== undefined && (
          <Problem>
            The store has another history than this member: {forked.reason}. Look at both, and then take what the store
            has by <code>sluice fleet adopt</code>.
          </Problem>
        )}
        {rejected !== undefined && (
          <div class="row pad">
            <Action label="Try again" call={calls.retryMember()} done="It is applied" onDone={again} />
            <span class="soft">
              Revision {rejected.rev} could not be applied here: {rejected.message}
            </span>
          </div>
        )}
        <Table columns={['Member', 'State', ...numberColumns('revision', 'lag'), 'Labels', 'Version', actionColumn]}>
          {(members ?? []).map((each) => (
            <Member key={each.name} member={each} isHere={each.name === member} revision={revision} onChange={again} />
          ))}
        </Table>
      </Card>
      {rollout !== undefined && <Rollout rollout={rollout} onChange={again} />}
    </>
  );
}

function Member({
  member,
  isHere,
  revision,
  onChange,
}: {
  member: FleetMember;
  isHere: boolean;
  revision: number;
  onChange: () => void;
}) {
  const { name, applied = 0, labels = [], version, drained } = member;
  const [health, word] = stateOf(member);
  return (
    <tr>
      <th scope="row">
        {name}
        {isHere && <span class="soft"> (this one)</span>}
      </th>
      <td>
        <State health={health}>{word}</State>
      </td>
      <td class="number">{applied}</td>
      <td class="number">{Math.max(0, revision - applied)}</td>
      <td>
        <span class="chips">
          {labels.map((label) => (
            <span class="chip" key={label}>
              {label}
            </span>
          ))}
        </span>
      </td>
      <td>{version}</td>
      <td>
        {drained === true ? (
          <Action
            label="Let clients in"
            call={calls.undrainMember({ name })}
            done={`${name} is ready for clients again`}
            onDone={onChange}
          />
        ) : (
          <Action
            label="Drain"
            call={calls.drainMember({ name })}
            done={`${name} says that it is not ready for clients`}
            onDone={onChange}
          />
        )}
      </td>
    </tr>
  );
}

function stateOf({ rejected, forked, store_away: away, drained, ready }: FleetMember): readonly [Health, string] {
  if (rejected !== undefined) return ['bad', `rejected ${rejected.rev}: ${rejected.message}`];
  if (forked !== undefined) return ['bad', `forked: ${forked.reason}`];
  if (away !== undefined) return ['warn', 'does not reach the store'];
  if (drained === true) return ['warn', 'drained'];
  return ready === true ? ['ok', 'ready'] : ['idle', 'not ready'];
}
