import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isUnreachable, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { count, localDateTime, milliseconds, percent, relative, short } from '../../base/format.ts';
import { byHealth } from '../../base/health.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { Live } from '../../parts/live.tsx';
import { usePages } from '../../parts/pager.tsx';
import { Search } from '../../parts/search.tsx';
import { actionColumn, numberColumns, Table } from '../../parts/table.tsx';
import { upstreamState, upstreams, type Upstream } from '../../state/health.ts';
import { adjust, linkTo, place } from '../../state/location.ts';
import { useUpstreamRates, type Rate } from '../../state/rates.ts';
import { has } from '../../state/server.ts';
import { readUpstreams } from '../../state/upstreams.ts';
import { LastCheck } from './last-check.tsx';
import { UsedBy } from './used-by.tsx';

/** Interval of reads in milliseconds. */
const every = 5000;

const rowsPerPage = 100;

const columns = [
  'Address',
  'State',
  ...numberColumns('In flight', 'Queued', 'Failures', 'req/s', '5xx %', 'Latency'),
  'Last check',
  'Used by',
  actionColumn,
];

export function Upstreams() {
  const isThere = has(calls.upstreamSummary);
  const problem = useSignal<string | null>(null);
  const read = async (): Promise<void> => {
    try {
      await readUpstreams();
      problem.value = null;
    } catch (error) {
      if (!isUnreachable(error)) problem.value = reasonOf(error);
    }
  };
  useEffect(() => {
    if (!isThere) return undefined;
    void read();
    const timer = setInterval(() => document.hidden || void read(), every);
    return () => clearInterval(timer);
  }, [isThere]);
  const { find = '' } = place.value.values;
  const all = upstreams.value;
  const found = useMemo(() => sorted(all ?? [], find), [all, find]);
  const { rows, pager } = usePages(found, rowsPerPage, 'Upstream pages');
  const rates = useUpstreamRates();
  const isEmpty = !isThere || all?.length === 0;
  return (
    <>
      <Heading title="Upstreams">
        {!isEmpty && <Search label="Search upstreams" value={find} onFind={(typed) => adjust({ find: typed })} />}
      </Heading>
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {isEmpty && (
        <Empty>
          No upstreams are configured. An upstream is a server to which the <code>reverse_proxy</code> handler forwards
          requests. <a href={linkTo('sites', { add: 'proxy' })}>Add a proxy site</a>.
        </Empty>
      )}
      {all === null && isThere && problem.value === null && <p class="soft">Loading…</p>}
      {all !== null && all.length > 0 && (
        <Card title={count(found.length, 'upstream')} side={<Counts of={found} />}>
          <Table columns={columns}>
            {rows.map((each) => (
              <OneUpstream key={each.address} upstream={each} rate={rates.get(each.address)} onChange={read} />
            ))}
          </Table>
          {pager}
        </Card>
      )}
    </>
  );
}

function Counts({ of }: { of: readonly Upstream[] }) {
  const states = Map.groupBy(of.map(upstreamState), ({ word }) => word);
  return (
    <>
      {[...states].map(([word, [first, ...others]]) => (
        <State key={word} health={first?.health ?? 'idle'}>
          {short(others.length + 1)} {word}
        </State>
      ))}
    </>
  );
}

/**
 * Returns upstreams whose address contains a string, sorted by health and address, so that rows keep their positions.
 */
function sorted(all: readonly Upstream[], find: string): readonly Upstream[] {
  return all
    .filter(({ address }) => address.toLowerCase().includes(find.trim().toLowerCase()))
    .sort(
      (a, b) =>
        byHealth(upstreamState(a).health, upstreamState(b).health) ||
        a.address.localeCompare(b.address, 'en', { numeric: true }),
    );
}

interface RowProps {
  readonly upstream: Upstream;
  /** `undefined` until known. */
  readonly rate: Rate | undefined;
  readonly onChange: () => Promise<void>;
}

function OneUpstream({ upstream, rate, onChange }: RowProps) {
  const { address, num_requests: inFlight, fails, draining, latency_ms: latency, used_by: users } = upstream;
  const { ejected_until: ejectedUntil, queued } = upstream;
  const isOpen = useSignal(false);
  const { health, word } = upstreamState(upstream);
  return (
    <>
      <tr>
        <th scope="row">
          <a href={linkTo('statistics', { upstream: address })} title="Charts of this upstream">
            <code>{address}</code>
          </a>
        </th>
        <td>
          <State health={health}>{word}</State>
          <div class="soft">
            {ejectedUntil === null
              ? upstream.reason
              : upstream.reason.replace(ejectedUntil, () => localDateTime(ejectedUntil))}
            , since {relative(upstream.since)}
          </div>
        </td>
        <td class="number">
          <Live text={short(inFlight)} />
        </td>
        <td class="number">
          <Live text={short(queued)} />
        </td>
        <td class="number">
          <Live text={short(fails)} />
        </td>
        <td class="number">
          <Live text={rate === undefined ? '–' : short(rate.perSecond)} />
        </td>
        <td class="number">
          <Live text={rate === undefined ? '–' : percent(rate.failed, 1)} />
        </td>
        <td class="number">
          <Live text={milliseconds(latency || null)} />
        </td>
        <td>
          <LastCheck check={upstream.last_check} />
        </td>
        <td>
          <button
            type="button"
            class="disclosure"
            aria-expanded={isOpen.value}
            aria-label={`Used by ${count(users, 'proxy', 'proxies')}: ${address}`}
            onClick={() => void (isOpen.value = !isOpen.value)}
          >
            <span aria-hidden="true">{isOpen.value ? '▾' : '▸'}</span> {count(users, 'proxy', 'proxies')}
          </button>
        </td>
        <td class="act">
          {draining ? (
            <Action
              label="Undrain"
              call={calls.undrain({ address })}
              done={`${address} receives requests again`}
              onDone={() => void onChange()}
            />
          ) : (
            <Action
              label="Drain"
              call={calls.drain({ address })}
              done={`${address} receives no new requests`}
              onDone={() => void onChange()}
            />
          )}
        </td>
      </tr>
      {isOpen.value && (
        <tr class="inner">
          <td colSpan={columns.length}>
            <UsedBy address={address} />
          </td>
        </tr>
      )}
    </>
  );
}
