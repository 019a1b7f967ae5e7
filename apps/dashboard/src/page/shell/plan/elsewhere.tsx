/** Which of the requests that were recorded last would go elsewhere with the draft. */
import { calls } from '../../api/calls.ts';
import { draft, root } from '../../state/configuration.ts';
import { has } from '../../state/server.ts';
import { useRead } from '../../state/read.ts';

/** What `POST /explain/plan` says. */
interface Comparison {
  readonly compared: number;
  readonly unknown: number;
  readonly elsewhere: readonly {
    readonly request: { readonly method: string; readonly url: string };
    readonly before: { readonly route: string | null; readonly status: number };
    readonly after: { readonly route: string | null; readonly status: number };
  }[];
}

/** Nothing where the server cannot say, or nothing was recorded. */
export function Elsewhere() {
  const whole = root.value.length === 0 && has(calls.explainPlan);
  const config = draft.value?.value ?? null;
  const { value } = useRead<Comparison>(whole ? calls.explainPlan({}, { json: { config, last: 100 } }) : null);
  if (value === null || value.compared === 0) return null;
  return (
    <section aria-label="Requests that would go elsewhere" class="pad">
      <h3>
        Of the last {value.compared} requests, {value.elsewhere.length} would go elsewhere
      </h3>
      <ul class="modules">
        {value.elsewhere.slice(0, 50).map(({ request, before, after }, index) => (
          <li key={index}>
            {request.method} {request.url}
            <div class="soft">
              {before.status} at {before.route ?? 'no route'} → {after.status} at {after.route ?? 'no route'}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
