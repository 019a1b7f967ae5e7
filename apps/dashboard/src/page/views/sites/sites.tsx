/** What is served, by host, the worst first; and the wizard that adds a site. */
import { useMemo } from 'preact/hooks';
import { short } from '../../base/format.ts';
import { byHealth, type Health } from '../../base/health.ts';
import { pointerOf } from '../../base/paths.ts';
import { sitesOf, type Site } from '../../base/sites.ts';
import { Card, Empty, Heading, State } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { actionColumn, Table } from '../../parts/table.tsx';
import { RateCells, rateColumns } from '../../parts/traffic-columns.tsx';
import { remove, shown } from '../../state/configuration.ts';
import { certificates, certificateHealth, upstreamHealth, upstreams } from '../../state/health.ts';
import { adjust, linkTo, place } from '../../state/location.ts';
import { failures, lately, type Counts } from '../../state/stats.ts';
import { AddSite } from './add-site.tsx';

const most = 300;

/** The view. */
export function Sites() {
  const { find = '', add } = place.value.values;
  const document = shown.value;
  const all = useMemo(() => sitesOf(document), [document]);
  const wanted = all.filter((site) => textOf(site).includes(find.toLowerCase()));
  const sorted = wanted.map((site) => ({ site, ...stateOf(site) })).sort((a, b) => byHealth(a.health, b.health));
  return (
    <>
      <Heading title="Sites">
        <Search label="Search sites" value={find} onFind={(typed) => adjust({ find: typed })} />
        <button type="button" class="main" onClick={() => adjust({ add: 'proxy' })}>
          Add a site
        </button>
      </Heading>
      {add !== undefined && <AddSite kind={add} onClose={() => adjust({ add: '' })} />}
      {all.length === 0 && <Empty>No site is configured. Add one, or paste a Caddyfile.</Empty>}
      {sorted.length > 0 && (
        <Card title={`${short(sorted.length)} routes`}>
          <Table columns={['Host', 'State', 'Served by', ...rateColumns, actionColumn]}>
            {sorted.slice(0, most).map(({ site, health, why }) => (
              <OneSite key={pointerOf(site.path)} site={site} health={health} why={why} />
            ))}
          </Table>
          {sorted.length > most && <p class="pad soft">And {sorted.length - most} more: search for them.</p>}
        </Card>
      )}
    </>
  );
}

function OneSite({ site, health, why }: { site: Site; health: Health; why: string }) {
  const { hosts, also, handlers, upstreams: addresses, path, server, listen } = site;
  const name = hosts[0] ?? 'all other hosts';
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('config', { path: pointerOf(path) })}>{hosts.length === 0 ? name : hosts.join(', ')}</a>
        <div class="soft">
          {also !== '' && `${also} · `}
          {server} {listen.join(', ')}
        </div>
      </th>
      <td>
        <State health={health}>{why}</State>
      </td>
      <td>
        {handlers.join(', ') || 'nothing'}
        {addresses.length > 0 && <div class="soft">{addresses.join(', ')}</div>}
      </td>
      <RateCells counts={countsOf(hosts)} seconds={lately.value?.seconds ?? 1} />
      <td>
        <span class="row">
          <a href={linkTo('traffic', { tab: 'explain', url: `http://${hosts[0] ?? 'localhost'}/` })}>Explain</a>
          <button
            type="button"
            class="icon"
            aria-label={`Remove ${name}`}
            title="Take it out of the draft"
            onClick={() => remove(path)}
          >
            ✕
          </button>
        </span>
      </td>
    </tr>
  );
}

/** How a site is: its upstreams, its certificates, its responses. */
function stateOf({ hosts, upstreams: addresses }: Site): {
  readonly health: Health;
  readonly why: string;
} {
  const used = (upstreams.value ?? []).filter(({ address }) => addresses.includes(address));
  const states = used.map(upstreamHealth);
  if (states.length > 0 && states.every((state) => state === 'bad'))
    return { health: 'bad', why: 'all upstreams are unhealthy' };
  const served = (certificates.value ?? []).filter(
    ({ identifier, names = [] }) => hosts.includes(identifier ?? '') || names.some((name) => hosts.includes(name)),
  );
  const failing = served.find((each) => certificateHealth(each) !== 'ok');
  if (failing !== undefined)
    return {
      health: certificateHealth(failing) === 'bad' ? 'bad' : 'warn',
      why: failing.last_error ?? 'its certificate needs a look',
    };
  if (states.some((state) => state === 'warn' || state === 'bad'))
    return { health: 'warn', why: 'an upstream is degraded or unhealthy' };
  if (countsOf(hosts).some((each) => failures(each) > 0)) return { health: 'warn', why: 'requests fail' };
  return { health: 'ok', why: 'well' };
}

/** What was counted of its hosts in the last second. */
function countsOf(hosts: readonly string[]): readonly Counts[] {
  return lately.value?.hosts.filter(({ host }) => hosts.includes(host)) ?? [];
}

function textOf({ hosts, handlers, upstreams: addresses, also, server }: Site): string {
  return [...hosts, ...handlers, ...addresses, also, server].join(' ').toLowerCase();
}
