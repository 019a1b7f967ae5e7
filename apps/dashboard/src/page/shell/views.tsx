/** The views: their titles in the order of the menu, and their code, which is loaded when one is opened. */
import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { reasonOf } from '../api/client.ts';
import { Problem } from '../parts/basic.tsx';
import { place } from '../state/location.ts';

type View = ComponentType;

/** Titles by view. */
export const titles: Readonly<Record<string, string>> = {
  overview: 'Overview',
};

const loaders: Readonly<Record<string, () => Promise<View>>> = {
  overview: async () => (await import('../views/overview/overview.tsx')).Overview,
};

const loaded = new Map<string, View>();

/** The view that the address names. */
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
        problem.value = `This view cannot be loaded: ${reasonOf(error)}. Load the page again.`;
      });
  }, [view]);
  const Made = loaded.get(view);
  if (problem.value !== null) return <Problem>{problem.value}</Problem>;
  return Made === undefined ? <p class="soft">{ready.value === 0 ? 'Loading …' : ''}</p> : <Made key={view} />;
}
