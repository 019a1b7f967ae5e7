/** What the last active check of an upstream has found, and when. */
import { clock, relative } from '../../base/format.ts';
import { State } from '../../parts/basic.tsx';
import type { UpstreamUse } from '../../state/health.ts';

/** The latest of those of its proxies. */
export function LastCheck({ proxies }: { proxies: readonly UpstreamUse[] }) {
  const checks = proxies.flatMap(({ last_check: check }) => check ?? []);
  const last = checks.sort((a, b) => b.time.localeCompare(a.time))[0];
  if (last === undefined) return <span class="soft">–</span>;
  return (
    <>
      <State health={last.problem === null ? 'ok' : 'bad'}>
        <time dateTime={last.time} title={clock(last.time)}>
          {relative(last.time)}
        </time>
      </State>
      {last.problem !== null && <div class="state bad wrap">{last.problem}</div>}
    </>
  );
}
