/** On every page: the change that is undone unless it is confirmed, with its clock. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../api/calls.ts';
import { Action } from '../parts/action.tsx';
import { readHistory, unconfirmed } from '../state/history.ts';

/** The banner; nothing where nothing waits. */
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
    <div class="banner" role="status">
      <span>
        ▲ Revision {change.revision} is on trial: undone in <strong>{left.value} s</strong> unless it is confirmed.
      </span>
      <Action
        kind="main"
        label="Keep it"
        call={calls.confirm({ revision: change.revision })}
        done={`Revision ${change.revision} stays in force`}
        onDone={done}
      />
      <Action
        label="Undo it now"
        call={calls.goBack({ revision: change.revision - 1 })}
        done={`Revision ${change.revision} is undone`}
        onDone={done}
      />
    </div>
  );
}
