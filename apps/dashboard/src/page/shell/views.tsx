/** The views, in menu order. Their code is loaded on demand. */
import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { reasonOf } from '../api/client.ts';
import { Boundary } from '../parts/boundary.tsx';
import { Problem } from '../parts/basic.tsx';
import { place } from '../state/location.ts';

export const titles: Readonly<Record<string, string>> = {
  overview: 'Overview',
  sites: 'Sites',
  traffic: 'Traffic',
  statistics: 'Statistics',
  config: 'Configuration',
  upstreams: 'Upstreams',
  certificates: 'Certificates',
  proposals: 'Proposals',
  changes: 'Changes',
  logs: 'Logs and events',
  server: 'Server',
};

const loaders: Readonly<Record<string, () => Promise<ComponentType>>> = {
  overview: async () => (await import('../views/overview/overview.tsx')).Overview,
  sites: async () => (await import('../views/sites/sites.tsx')).Sites,
  traffic: async () => (await import('../views/traffic/traffic.tsx')).Traffic,
  statistics: async () => (await import('../views/statistics/statistics.tsx')).Statistics,
  logs: async () => (await import('../views/logs/logs.tsx')).Logs,
  server: async () => (await import('../views/server/server.tsx')).Server,
  upstreams: async () => (await import('../views/upstreams/upstreams.tsx')).Upstreams,
  certificates: async () => (await import('../views/certificates/certificates.tsx')).Certificates,
  proposals: async () => (await import('../views/proposals/proposals.tsx')).Proposals,
  changes: async () => (await import('../views/changes/changes.tsx')).Changes,
  config: async () => (await import('../views/config/config.tsx')).Config,
};

const loaded = new Map<string, ComponentType>();

/** Renders the view named in the address. */
export function CurrentView() {
  const view = place.value.view in loaders ? place.value.view : 'overview';
  const problem = useSignal<string | null>(null);
  const ready = useSignal(0);
  useEffect(() => {
    document.title = `${titles[view] ?? ''} · Sluice`;
    if (loaded.has(view)) return;
    loaders[view]?.()
      .then((made) => {
        loaded.set(view, made);
        ready.value += 1;
      })
      .catch((error: unknown) => {
        problem.value = `Cannot load this view: ${reasonOf(error)}. Reload the page.`;
      });
  }, [view]);
  const Made = loaded.get(view);
  if (problem.value !== null) return <Problem>{problem.value}</Problem>;
  return Made === undefined ? (
    <p class="soft">{ready.value === 0 ? 'Loading…' : ''}</p>
  ) : (
    <Boundary key={view}>
      <Made />
    </Boundary>
  );
}
