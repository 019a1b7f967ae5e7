/** Banner with a countdown, shown on every page during a change with auto-rollback. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../api/calls.ts';
import { Action } from '../parts/action.tsx';
import { readHistory, unconfirmed } from '../state/history.ts';

export function Unconfirmed() {
  const left = useSignal(0);
  const change = unconfirmed.value;
  useEffect(() => {
    if (change?.confirm_by === undefined) return undefined;
    const deadline = Date.parse(change.confirm_by);
    const tick = (): void => {
      left.value = Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
      if (left.value === 0) void readHistory();
    };
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [change?.confirm_by]);
  if (change === null) return null;
  const done = (): void => void readHistory();
  return (
    <section class="banner" aria-label="Unconfirmed change">
      <span>
        ▲ Revision {change.revision} will be rolled back in <strong>{left.value} s</strong> unless you confirm it.
      </span>
      <Action
        kind="main"
        label="Confirm"
        call={calls.confirm({ revision: change.revision })}
        done={`Revision ${change.revision} confirmed`}
        onDone={done}
      />
      <Action
        label="Roll back now"
        call={calls.goBack({ revision: change.revision - 1 })}
        done={`Revision ${change.revision} rolled back`}
        onDone={done}
      />
    </section>
  );
}
