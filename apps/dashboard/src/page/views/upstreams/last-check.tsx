/** Result of an upstream's latest active health check. */
import { localDateTime, relative } from '../../base/format.ts';
import { State } from '../../parts/basic.tsx';
import type { Upstream } from '../../state/health.ts';

/** Shows time and problem, or a dash before the first check. */
export function LastCheck({ check }: { check: Upstream['last_check'] }) {
  if (check === null) return <span class="soft">–</span>;
  return (
    <div>
      <State health={check.problem === null ? 'ok' : 'bad'}>
        <time dateTime={check.time} title={localDateTime(check.time)}>
          {relative(check.time)}
        </time>
      </State>
      {check.problem !== null && <div class="state bad wrap">{check.problem}</div>}
    </div>
  );
}
