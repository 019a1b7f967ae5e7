/** The server's fleet: members and current rollout. */
import { calls } from '../../api/calls.ts';
import { localDateTime } from '../../base/format.ts';
import type { Health } from '../../base/health.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Problem, State } from '../../parts/basic.tsx';
import { actionColumn, numberColumns, Table } from '../../parts/table.tsx';
import type { Fleet, FleetMember } from '../../state/fleet.ts';
import { useRead } from '../../state/read.ts';
import { FleetRollout } from './rollout.tsx';

const every = 2000;

/** Shows the panel, for servers in a fleet. */
export function FleetPanel() {
  const { value, problem, again } = useRead<Fleet>(calls.fleet(), every);
  if (value === null) return problem === null ? null : <Problem>Cannot read the fleet: {problem}</Problem>;
  const { cluster, member, revision, members, store_away: away, forked, rejected, rollout } = value;
  return (
    <>
      <Card title={`Fleet ${cluster}, revision ${revision}`}>
        {away !== undefined && (
          <Problem>
            The store has been unavailable since {localDateTime(away.since)}: {away.reason}. Requests are still served,
            but changes cannot be applied.
          </Problem>
        )}
        {forked !== undefined && (
          <Problem>
            This member's history differs from the store: {forked.reason}. Compare both histories. To use the
            configuration of the store, run <code>sluice fleet adopt</code>.
          </Problem>
        )}
        {rejected !== undefined && (
          <div class="row pad">
            <Action label="Retry" call={calls.retryMember()} done="Revision applied" onDone={again} />
            <span class="soft">
              Revision {rejected.rev} was rejected: {rejected.message}
            </span>
          </div>
        )}
        <Table
          columns={[
            'Member',
            'State',
            ...numberColumns('Revision', 'Lag (revisions)'),
            'Labels',
            'Version',
            actionColumn,
          ]}
        >
          {(members ?? []).map((each) => (
            <Member key={each.name} member={each} isHere={each.name === member} revision={revision} onChange={again} />
          ))}
        </Table>
      </Card>
      {rollout !== undefined && <FleetRollout rollout={rollout} onChange={again} />}
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
        {isHere && <span class="soft"> (this member)</span>}
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
            label="Undrain"
            call={calls.undrainMember({ name })}
            done={`${name} receives requests again`}
            onDone={onChange}
          />
        ) : (
          <Action
            label="Drain"
            call={calls.drainMember({ name })}
            done={`${name} reports not ready, so that load balancers send no new requests`}
            onDone={onChange}
          />
        )}
      </td>
    </tr>
  );
}

function stateOf({ rejected, forked, store_away: away, drained, ready }: FleetMember): readonly [Health, string] {
  if (rejected !== undefined) return ['bad', `Rejected revision ${rejected.rev}: ${rejected.message}`];
  if (forked !== undefined) return ['bad', `Diverged: ${forked.reason}`];
  if (away !== undefined) return ['warn', 'Store unavailable'];
  if (drained === true) return ['warn', 'Drained'];
  return ready === true ? ['ok', 'Ready'] : ['idle', 'Not ready'];
}
