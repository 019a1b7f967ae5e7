/** Proxies that use an upstream, in pages, since there may be thousands. Read when opened. */
import { useSignal } from '@preact/signals';
import { calls } from '../../api/calls.ts';
import { count, short } from '../../base/format.ts';
import { Problem, State } from '../../parts/basic.tsx';
import { Pager } from '../../parts/pager.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { useRead } from '../../state/read.ts';
import { Weight } from './weight.tsx';

/** Proxy, as returned by `GET /reverse_proxy/upstreams?detail`. */
interface Proxy {
  /** Path in the configuration. */
  readonly where: string;
  readonly healthy?: boolean;
  readonly num_requests?: number;
  readonly total_requests?: number;
}

interface Entry {
  readonly used_by: number;
  readonly proxies: readonly Proxy[];
}

const size = 20;

export function UsedBy({ address }: { address: string }) {
  const page = useSignal(0);
  const query = { detail: 'true', address, offset: page.value * size, limit: size };
  const { value, problem } = useRead<readonly Entry[]>(calls.upstreams({}, { query }));
  const [entry] = value ?? [];
  if (problem !== null) return <Problem>{problem}</Problem>;
  if (value === null) return <p class="soft">Loading…</p>;
  if (entry === undefined) return <p class="soft">No proxy uses this upstream anymore.</p>;
  return (
    <>
      <ul class="users" aria-label={`Proxies that use ${address}`}>
        {entry.proxies.map(({ where, healthy, num_requests: inFlight = 0, total_requests: total = 0 }) => (
          <li key={where} class="user">
            <PlaceLink where={where} />
            {healthy === false && <State health="bad">unhealthy</State>}
            <span class="soft">
              {short(inFlight)} in flight, {count(total, 'request')}
            </span>
            <Weight address={address} where={where} />
          </li>
        ))}
      </ul>
      {entry.used_by > size && (
        <Pager
          page={page.value}
          size={size}
          count={entry.used_by}
          label={`Pages of proxies that use ${address}`}
          onTurn={(to) => void (page.value = to)}
        />
      )}
    </>
  );
}
