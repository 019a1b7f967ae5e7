/** Which modules a change keeps, rebuilds, starts and stops. */
import type { Plan } from '../../state/plan.ts';

const kinds = [
  ['rebuilt', '~', 'rebuilt'],
  ['started', '+', 'started'],
  ['stopped', '−', 'stopped'],
  ['kept', '=', 'kept'],
] as const;

const most = 100;

/** The summary line, and each group to be opened. */
export function PlannedModules({ plan: { modules, counts } }: { plan: Plan }) {
  return (
    <section aria-label="Modules" class="pad">
      <h3>{kinds.map(([key, , word]) => `${counts[key]} ${word}`).join(', ')}</h3>
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
                </li>
              ))}
              {counts[key] > most && <li class="soft">And {counts[key] - most} more.</li>}
            </ul>
          </details>
        ))}
    </section>
  );
}
