/** Results of actions, shown at the top of the page. */
import { dismiss, notices } from '../state/notices.ts';

export function Notices() {
  return (
    <div class="notices" role="log" aria-label="Notifications">
      {notices.value.map(({ id, kind, text }) => (
        <div class="notice" key={id}>
          <div>
            <span class={`state ${kind}`} aria-hidden="true">
              {kind === 'ok' ? '●' : '■'}
            </span>{' '}
            {text}
          </div>
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
