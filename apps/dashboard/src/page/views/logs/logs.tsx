/** What happens, as it happens: events of the server; and the levels of its logs. */
import { useSignal } from '@preact/signals';
import { clock } from '../../base/format.ts';
import { Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { events, eventsProblem, keptEvents, type ServerEvent } from '../../state/events.ts';
import { adjust, place } from '../../state/location.ts';
import { Levels } from './levels.tsx';
import { Tail } from './tail.tsx';

const bad = /refused|failed|error|unhealthy/;

/** The view. */
export function Logs() {
  const paused = useSignal<readonly ServerEvent[] | null>(null);
  const chosen = useSignal<ServerEvent | null>(null);
  const { find = '' } = place.value.values;
  const wanted = find.toLowerCase();
  const all = paused.value ?? events.value;
  const rows = find === '' ? all : all.filter((event) => textOf(event).toLowerCase().includes(wanted));
  return (
    <>
      <Heading title="Logs and events">
        <Search label="Search events" value={find} onFind={(typed) => adjust({ find: typed })} />
        <button
          type="button"
          aria-pressed={paused.value !== null}
          onClick={() => void (paused.value = paused.value === null ? events.value : null)}
        >
          {paused.value === null ? 'Pause' : `Go on (${events.value.length - paused.value.length} more)`}
        </button>
      </Heading>
      {eventsProblem.value !== null && <Problem>Events: {eventsProblem.value}</Problem>}
      <Levels />
      <Tail />
      {rows.length === 0 ? (
        <Empty>
          {find === ''
            ? `Nothing has happened since this page was opened. The last ${keptEvents} events are kept here; access logs go where the configuration says.`
            : 'No event is found.'}
        </Empty>
      ) : (
        <div class="tail">
          <VirtualList
            rows={rows}
            label="Events"
            role="log"
            follows={paused.value === null}
            render={(event) => (
              <div key={event.id} class="tree-row" onClick={() => void (chosen.value = event)}>
                <span class="soft">{clock(event.time)}</span>
                <State health={bad.test(event.type) ? 'warn' : 'idle'}>{event.type}</State>
                <button type="button" class="text brief" onClick={() => void (chosen.value = event)}>
                  {JSON.stringify(event.data)}
                </button>
              </div>
            )}
          />
        </div>
      )}
      {chosen.value !== null && (
        <pre class="source" role="region" tabIndex={0} aria-label="The event that is chosen">
          {JSON.stringify(chosen.value, null, 2)}
        </pre>
      )}
    </>
  );
}

function textOf({ type, source, data }: ServerEvent): string {
  return `${type} ${source} ${JSON.stringify(data)}`;
}
