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
export function PlannedModules({ modules }: { modules: Plan['modules'] }) {
  return (
    <section aria-label="Modules" class="pad">
      <h3>{kinds.map(([key, , word]) => `${modules[key].length} ${word}`).join(', ')}</h3>
      {kinds
        .filter(([key]) => modules[key].length > 0)
        .map(([key, sign, word]) => (
          <details key={key} open={key !== 'kept' && modules[key].length < 20}>
            <summary>
              {sign} {word}: {modules[key].length}
            </summary>
            <ul class="modules">
              {modules[key].slice(0, most).map(({ id, path }) => (
                <li key={path + id}>
                  <code>{id}</code> <span class="soft">{path}</span>
                </li>
              ))}
              {modules[key].length > most && <li class="soft">And {modules[key].length - most} more.</li>}
            </ul>
          </details>
        ))}
    </section>
  );
}
