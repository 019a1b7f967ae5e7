/** Sites by host, unhealthy sites first, and the form that adds a site. */
import { useMemo } from 'preact/hooks';
import { count, short } from '../../base/format.ts';
import { byHealth, type Health } from '../../base/health.ts';
import { pointerOf } from '../../base/paths.ts';
import { siteServersOf, siteUrl, type SiteServer } from '../../base/site-url.ts';
import { sitesOf, type Site } from '../../base/sites.ts';
import { Card, Empty, Heading, State } from '../../parts/basic.tsx';
import { Search } from '../../parts/search.tsx';
import { actionColumn, Table } from '../../parts/table.tsx';
import { RateCells, rateColumns } from '../../parts/traffic-columns.tsx';
import { remove, shown } from '../../state/configuration.ts';
import { certificates, certificateHealth, isImpaired, upstreamHealth, upstreams } from '../../state/health.ts';
import { adjust, linkTo, place } from '../../state/location.ts';
import { failures, lately, type Counts } from '../../state/stats.ts';
import { AddSite } from './add-site.tsx';

const maxRows = 300;

export function Sites() {
  const { find = '', add } = place.value.values;
  const document = shown.value;
  const all = useMemo(() => sitesOf(document), [document]);
  const servers = useMemo(() => new Map(siteServersOf(document).map((each) => [each.key, each])), [document]);
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
      {all.length === 0 && <Empty>No sites are configured. Add a site, or paste a Caddyfile.</Empty>}
      {all.length > 0 && sorted.length === 0 && <Empty>No sites match the search.</Empty>}
      {sorted.length > 0 && (
        <Card title={count(sorted.length, 'route')}>
          <Table columns={['Host', 'State', 'Served by', ...rateColumns, actionColumn]}>
            {sorted.slice(0, maxRows).map(({ site, health, why }) => (
              <OneSite
                key={pointerOf(site.path)}
                site={site}
                health={health}
                why={why}
                server={servers.get(site.server)}
              />
            ))}
          </Table>
          {sorted.length > maxRows && (
            <p class="pad soft">{short(sorted.length - maxRows)} more are not shown. Use the search to find them.</p>
          )}
        </Card>
      )}
    </>
  );
}

interface OneSiteProps {
  readonly site: Site;
  readonly health: Health;
  readonly why: string;
  readonly server: SiteServer | undefined;
}

function OneSite({ site, health, why, server }: OneSiteProps) {
  const { hosts, also, handlers, upstreams: addresses, path, listen } = site;
  const name = hosts[0] ?? 'All other hosts';
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('config', { path: pointerOf(path) })}>{hosts.length === 0 ? name : hosts.join(', ')}</a>
        <div class="soft">
          {also !== '' && `${also} · `}
          {site.server} {listen.join(', ')}
        </div>
      </th>
      <td>
        <State health={health}>{why}</State>
      </td>
      <td>
        {handlers.join(', ') || 'No handler'}
        {addresses.length > 0 && <div class="soft">{addresses.join(', ')}</div>}
      </td>
      <RateCells counts={countsOf(hosts)} seconds={lately.value?.seconds ?? 1} />
      <td>
        <span class="row">
          <a
            href={linkTo('traffic', {
              tab: 'explain',
              url: server === undefined ? 'http://localhost/' : siteUrl(server, hosts[0] ?? ''),
            })}
          >
            Explain
          </a>
          <button
            type="button"
            class="icon"
            aria-label={`Remove ${name}`}
            title="Remove this route in the draft"
            onClick={() => remove(path)}
          >
            ✕
          </button>
        </span>
      </td>
    </tr>
  );
}

/** Returns the site state, based on upstreams, certificates and responses. */
function stateOf({ hosts, upstreams: addresses }: Site): {
  readonly health: Health;
  readonly why: string;
} {
  const used = (upstreams.value ?? []).filter(({ address }) => addresses.includes(address));
  const states = used.map(upstreamHealth);
  if (states.length > 0 && states.every((state) => state === 'bad'))
    return { health: 'bad', why: `Down (${count(used.length, 'upstream')} unhealthy)` };
  const served = (certificates.value ?? []).filter(
    ({ identifier, names = [] }) => hosts.includes(identifier ?? '') || names.some((name) => hosts.includes(name)),
  );
  const failing = served.find((each) => certificateHealth(each) !== 'ok');
  if (failing !== undefined)
    return {
      health: certificateHealth(failing) === 'bad' ? 'bad' : 'warn',
      why: failing.last_error ?? 'Certificate expires soon',
    };
  const ill = used.filter((each) => !each.draining && isImpaired(each)).length;
  if (ill > 0) return { health: 'warn', why: `Degraded (${ill} of ${used.length} unhealthy)` };
  const drained = used.filter(({ draining }) => draining).length;
  if (drained > 0) return { health: 'warn', why: `Degraded (${drained} of ${used.length} draining)` };
  if (countsOf(hosts).some((each) => failures(each) > 0)) return { health: 'warn', why: 'Requests fail' };
  return { health: 'ok', why: 'Healthy' };
}

/** Returns the counters of the site's hosts for the last second. */
function countsOf(hosts: readonly string[]): readonly Counts[] {
  return lately.value?.hosts.filter(({ host }) => hosts.includes(host)) ?? [];
}

function textOf({ hosts, handlers, upstreams: addresses, also, server }: Site): string {
  return [...hosts, ...handlers, ...addresses, also, server].join(' ').toLowerCase();
}
