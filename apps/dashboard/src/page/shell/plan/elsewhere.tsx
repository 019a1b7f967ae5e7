/** Recently recorded requests that the draft would handle differently. */
import { count, short } from '../../base/format.ts';
import { parseWhere } from '../../base/paths.ts';
import { PlaceName } from '../../parts/place-link.tsx';
import { inForce } from '../../state/configuration.ts';
import type { Comparison } from '../../state/plan.ts';

/** Shows the number of requests with a different result, and the first ones. */
export function Elsewhere({ compared, count: changed, elsewhere }: Comparison) {
  return (
    <section aria-label="Requests handled differently" class="pad">
      <h3>
        {short(changed)} of the last {count(compared, 'request')} would be handled differently
      </h3>
      <ul class="modules">
        {elsewhere.map(({ request, before, after }, index) => (
          <li key={index}>
            {request.method} {request.url}
            <div class="soft">
              <End {...before} /> → <End {...after} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function End({ status, route }: { status: number; route: string | null }) {
  return (
    <>
      {status === 0 ? 'proxied' : status} by{' '}
      {route === null ? 'no route' : <PlaceName path={parseWhere(route)} document={inForce.value.value} />}
    </>
  );
}
