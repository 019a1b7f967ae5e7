/** Responses of both configurations to replayed requests, grouped by difference. */
import { shadowHeadlineOf, shadowTotalsOf, type ShadowReport } from '../base/behavior.ts';
import type { Json } from '../base/json.ts';
import { State } from './basic.tsx';
import { Groups, LeftOut } from './behavior.tsx';

interface ShadowProps {
  readonly report: ShadowReport;
  /** Documents that name the routes; `undefined` if unknown. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export function Shadow({ report, before, after }: ShadowProps) {
  const { recorded, live, groups, more_groups: more, left_out: leftOut, bypassed, noise } = report;
  const health = groups.length > 0 ? 'warn' : recorded + live > 0 ? 'ok' : 'idle';
  return (
    <section aria-label="Replayed requests" class="pad behavior">
      <h3>
        <State health={health}>{shadowHeadlineOf(report)}</State>
      </h3>
      <p class="soft">{shadowTotalsOf(report)}</p>
      {noise.length > 0 && <p class="soft">Ignored because they vary: {noise.map(({ part }) => part).join(', ')}.</p>}
      {bypassed.length > 0 && <p class="soft">Bypassed: {bypassed.join(', ')}.</p>}
      <Groups groups={groups} more={more} before={before} after={after} />
      {leftOut.length > 0 && <LeftOut title="Not replayed" reasons={leftOut} />}
    </section>
  );
}
