/** Which modules a change keeps, rebuilds, starts and stops, and what they hold. */
import { count } from '../../base/format.ts';
import { Held, type Holder } from '../../base/held.ts';
import type { Plan } from '../../state/plan.ts';

const kinds = [
  ['rebuilt', '~', 'rebuilt'],
  ['started', '+', 'started'],
  ['stopped', '−', 'stopped'],
  ['kept', '=', 'kept'],
] as const;

const most = 100;

/** The summary line, and each group to be opened. */
export function PlannedModules({ plan: { modules, counts, held = [] } }: { plan: Plan }) {
  const holders = new Held(held);
  return (
    <section aria-label="Modules" class="pad">
      <h3>{kinds.map(([key, , word]) => `${counts[key]} ${word}`).join(', ')}</h3>
      {held.length > 0 && <Servers held={held} />}
      {kinds
        .filter(([key]) => counts[key] > 0)
        .map(([key, sign, word]) => (
          <details key={key} open={key !== 'kept' && counts[key] < 20}>
            <summary>
              {sign} {word}: {counts[key]}
            </summary>
            <ul class="modules">
              {modules[key].slice(0, most).map(({ id, path }) => (
                <li key={path + id}>
                  <code>{id}</code> <span class="soft">{path}</span>
                  {key !== 'started' && <Holds holder={holders.by(path, key === 'kept')} />}
                </li>
              ))}
              {counts[key] > most && <li class="soft">And {counts[key] - most} more.</li>}
            </ul>
          </details>
        ))}
    </section>
  );
}

/** A change of routes keeps the connections of their servers. */
function Servers({ held }: { held: readonly Holder[] }) {
  return (
    <ul class="modules" aria-label="What servers hold">
      {held
        .filter(({ connections }) => connections !== undefined)
        .map((holder) => (
          <li key={holder.path}>
            <span class="soft">{holder.path}</span>
            <Holds holder={holder} />
          </li>
        ))}
    </ul>
  );
}

function Holds({ holder }: { holder: Holder | null }) {
  if (holder === null) return null;
  const { connections = 0, in_flight: underWay } = holder;
  const parts = [
    ...(connections > 0 ? [count(connections, 'connection')] : []),
    ...(underWay > 0 ? [`${count(underWay, 'request')} or streams under way`] : []),
  ];
  return parts.length === 0 ? null : <span class="holds"> holds {parts.join(', ')}</span>;
}
