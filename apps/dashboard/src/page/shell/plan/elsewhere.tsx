/** Which of the requests that were recorded last would go elsewhere with the draft. */
import type { Comparison } from '../../state/plan.ts';

/** How many, and the first of them. */
export function Elsewhere({ compared, count, elsewhere }: Comparison) {
  return (
    <section aria-label="Requests that would go elsewhere" class="pad">
      <h3>
        Of the last {compared} requests, {count} would go elsewhere
      </h3>
      <ul class="modules">
        {elsewhere.map(({ request, before, after }, index) => (
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
