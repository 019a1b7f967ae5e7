/** Server events in real time. */
import { useSignal } from '@preact/signals';
import { localDateTime, localTime, short } from '../../base/format.ts';
import { Card, Empty, Problem, State } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { events, eventsProblem, keptEvents, type ServerEvent } from '../../state/events.ts';
import { adjust, place } from '../../state/location.ts';

const bad = /refused|failed|error|unhealthy/;

export function Events() {
  const paused = useSignal<readonly ServerEvent[] | null>(null);
  const chosen = useSignal<ServerEvent | null>(null);
  const { find = '' } = place.value.values;
  const wanted = find.toLowerCase();
  const all = paused.value ?? events.value;
  const rows = find === '' ? all : all.filter((event) => textOf(event).toLowerCase().includes(wanted));
  return (
    <>
      <div class="row log-actions">
        <Search label="Search events" value={find} onFind={(typed) => adjust({ find: typed })} />
        <button
          type="button"
          aria-pressed={paused.value !== null}
          onClick={() => void (paused.value = paused.value === null ? events.value : null)}
        >
          {paused.value === null ? 'Pause' : `Resume (${short(events.value.length - paused.value.length)} new)`}
        </button>
      </div>
      {eventsProblem.value !== null && <Problem>Events: {eventsProblem.value}</Problem>}
      {rows.length === 0 ? (
        <Empty>
          {find === ''
            ? `No events since you opened this page. The last ${short(keptEvents)} are kept here.`
            : 'No events match the search.'}
        </Empty>
      ) : (
        <div class={chosen.value === null ? 'log' : 'log opened'}>
          <VirtualList
            rows={rows}
            label="Events"
            role="log"
            follows={paused.value === null}
            render={(event) => (
              <div
                key={event.id}
                class={event.id === chosen.value?.id ? 'event-row selected' : 'event-row'}
                onClick={() => void (chosen.value = event)}
              >
                <span class="time" title={localDateTime(event.time)}>
                  {localTime(event.time)}
                </span>
                <State health={bad.test(event.type) ? 'warn' : 'idle'}>{event.type}</State>
                <button type="button" class="text brief" onClick={() => void (chosen.value = event)}>
                  {JSON.stringify(event.data)}
                </button>
              </div>
            )}
          />
          {chosen.value !== null && <Details event={chosen.value} onClose={() => void (chosen.value = null)} />}
        </div>
      )}
    </>
  );
}

function Details({ event, onClose }: { event: ServerEvent; onClose: () => void }) {
  return (
    <div class="log-details">
      <Card
        title="Event"
        side={
          <button type="button" class="icon" aria-label="Close event" onClick={onClose}>
            ✕
          </button>
        }
      >
        <pre class="pad" role="region" tabIndex={0} aria-label="Selected event">
          {JSON.stringify(event, null, 2)}
        </pre>
      </Card>
    </div>
  );
}

function textOf({ type, source, data }: ServerEvent): string {
  return `${type} ${source} ${JSON.stringify(data)}`;
}
