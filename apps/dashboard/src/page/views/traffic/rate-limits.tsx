/** Rate limit zones with their counters, and the keys of a zone. */
import { Fragment } from 'preact';
import { useSignal } from '@preact/signals';
import { calls } from '../../api/calls.ts';
import { bytes, count, duration, short } from '../../base/format.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Problem } from '../../parts/basic.tsx';
import { Live } from '../../parts/live.tsx';
import { Search } from '../../parts/search.tsx';
import { actionColumn, numberColumns, Table } from '../../parts/table.tsx';
import { useRead } from '../../state/read.ts';

/** Interval of reads in milliseconds. */
const every = 5000;

/** Maximum number of keys shown. */
const maxKeys = 100;

interface Zone {
  readonly name: string;
  /** Length of the window in seconds. */
  readonly window: number;
  readonly max_events: number;
  readonly key_count: number;
  readonly allowed: number;
  readonly rejected: number;
  readonly memory_used: number;
  readonly memory_total: number;
}

interface Key {
  readonly key: string;
  readonly events: number;
  readonly rejected: number;
  readonly max_events: number;
  /** Seconds until the oldest key expires. */
  readonly oldest_expires_in: number;
}

const columns = ['Zone', 'Limit', ...numberColumns('Allowed', 'Rejected', 'Memory'), 'Keys'];
const keyColumns = ['Key', ...numberColumns('In window', 'Limit', 'Rejected', 'Oldest expires in'), actionColumn];

export function RateLimits() {
  const { value: zones, problem } = useRead<readonly Zone[]>(calls.rateLimits(), every);
  const chosen = useSignal<string | null>(null);
  if (problem !== null) return <Problem>{problem}</Problem>;
  if (zones === null) return <p class="soft">Loading…</p>;
  if (zones.length === 0)
    return (
      <Empty>
        No rate limits are configured. The <code>rate_limit</code> handler limits the number of requests per key.
      </Empty>
    );
  return (
    <Card title={count(zones.length, 'rate limit zone')}>
      <Table columns={columns}>
        {zones.map((zone) => (
          <Fragment key={zone.name}>
            <ZoneRow
              zone={zone}
              isOpen={zone.name === chosen.value}
              onToggle={() => void (chosen.value = chosen.value === zone.name ? null : zone.name)}
            />
            {zone.name === chosen.value && (
              <tr class="inner">
                <td colSpan={columns.length}>
                  <Keys zone={zone.name} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </Table>
    </Card>
  );
}

function ZoneRow({ zone, isOpen, onToggle }: { zone: Zone; isOpen: boolean; onToggle: () => void }) {
  const { name, window, max_events: max, key_count: keys, allowed, rejected } = zone;
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        {count(max, 'request')} per {duration(window)}
      </td>
      <td class="number">
        <Live text={short(allowed)} />
      </td>
      <td class="number">
        <Live text={short(rejected)} />
      </td>
      <td class="number">
        {bytes(zone.memory_used)} of {bytes(zone.memory_total)}
      </td>
      <td>
        <button
          type="button"
          class="disclosure"
          aria-expanded={isOpen}
          aria-label={`${count(keys, 'key')} in ${name}`}
          onClick={onToggle}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {count(keys, 'key')}
        </button>
      </td>
    </tr>
  );
}

/** Shows keys of a zone that contain the search text. */
function Keys({ zone }: { zone: string }) {
  const search = useSignal('');
  const query = { search: search.value, limit: maxKeys };
  const { value, problem, again } = useRead<{ readonly keys: readonly Key[] }>(
    calls.rateLimitKeys({ zone }, { query }),
    every,
  );
  if (problem !== null) return <Problem>{problem}</Problem>;
  return (
    <>
      <Search label="Search keys" value={search.value} onFind={(typed) => void (search.value = typed.trim())} />
      {value === null && <p class="soft">Loading…</p>}
      {value?.keys.length === 0 && <p class="soft">No keys.</p>}
      {value !== null && value.keys.length > 0 && (
        <Table columns={keyColumns}>
          {value.keys.map((each) => (
            <tr key={each.key}>
              <th scope="row">
                <code class="wrap">{each.key === '' ? '(empty)' : each.key}</code>
              </th>
              <td class="number">
                <Live text={short(each.events)} />
              </td>
              <td class="number">{short(each.max_events)}</td>
              <td class="number">
                <Live text={short(each.rejected)} />
              </td>
              <td class="number">{each.events === 0 ? '–' : duration(each.oldest_expires_in)}</td>
              <td class="act">
                <Action
                  label="Reset"
                  call={calls.resetRateLimit({ zone, key: each.key })}
                  done={`${each.key} in zone ${zone} was reset`}
                  onDone={again}
                  disabled={each.key === ''}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {value?.keys.length === maxKeys && (
        <p class="soft">Only the first {maxKeys} keys are shown. Search to find others.</p>
      )}
    </>
  );
}
