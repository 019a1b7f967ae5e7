/** Modules that a change rebuilds, starts, stops and keeps, with their connections and requests in flight. */
import { count, short } from '../../base/format.ts';
import { Held, type Holder } from '../../base/held.ts';
import { parseWhere } from '../../base/paths.ts';
import { PlaceName } from '../../parts/place-link.tsx';
import { shown } from '../../state/configuration.ts';
import type { Plan } from '../../state/plan.ts';

const kinds = [
  ['rebuilt', '~', 'rebuilt'],
  ['started', '+', 'started'],
  ['stopped', '−', 'stopped'],
  ['kept', '=', 'kept'],
] as const;

const maxModules = 100;

/** Shows a summary, and a list for each group. */
export function PlannedModules({ plan: { modules, counts, held = [] } }: { plan: Plan }) {
  const holders = new Held(held);
  return (
    <section aria-label="Modules" class="pad">
      <h3>Modules: {kinds.map(([key, , word]) => `${short(counts[key])} ${word}`).join(', ')}</h3>
      {held.length > 0 && <Servers held={held} />}
      {kinds
        .filter(([key]) => counts[key] > 0)
        .map(([key, sign, word]) => (
          <details key={key} open={key !== 'kept' && counts[key] < 20}>
            <summary>
              {sign} {word}: {short(counts[key])}
            </summary>
            <ul class="modules">
              {modules[key].slice(0, maxModules).map(({ id, path }) => (
                <li key={path + id}>
                  <code>{id}</code>{' '}
                  <span class="soft">
                    <PlaceName path={parseWhere(path)} document={shown.value} />
                  </span>
                  {key !== 'started' && <Holds holder={holders.by(path, key === 'kept')} />}
                </li>
              ))}
              {counts[key] > maxModules && <li class="soft">{short(counts[key] - maxModules)} more are not shown.</li>}
            </ul>
          </details>
        ))}
    </section>
  );
}

/** Shows the connections of servers. A change to routes does not close connections. */
function Servers({ held }: { held: readonly Holder[] }) {
  return (
    <ul class="modules" aria-label="Connections by server">
      {held
        .filter(({ connections }) => connections !== undefined)
        .map((holder) => (
          <li key={holder.path}>
            <span class="soft">
              <PlaceName path={parseWhere(holder.path)} document={shown.value} />
            </span>
            <Holds holder={holder} />
          </li>
        ))}
    </ul>
  );
}

function Holds({ holder }: { holder: Holder | null }) {
  if (holder === null) return null;
  const { connections = 0, in_flight: inFlight } = holder;
  const parts = [
    ...(connections > 0 ? [count(connections, 'connection')] : []),
    ...(inFlight > 0 ? [`${count(inFlight, 'request')} in flight`] : []),
  ];
  return parts.length === 0 ? null : <span class="holds"> {parts.join(', ')}</span>;
}
