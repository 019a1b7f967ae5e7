/** Reads what the overview and the icon of the page need, whatever view is open. */
import { effect } from '@preact/signals';
import { ask } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { certificates, upstreams, worst, type Certificate, type Upstream } from '../state/health.ts';
import { configChanges } from '../state/events.ts';
import { has } from '../state/server.ts';

const every = 10_000;

/** Follows until the function that it gives is called. */
export function watchHealth(): () => void {
  const read = async (): Promise<void> => {
    if (document.hidden) return;
    if (has(calls.upstreams))
      upstreams.value = await quietly<readonly Upstream[]>(calls.upstreams({}, { query: { detail: 'true' } }));
    if (has(calls.certificates)) certificates.value = await quietly<readonly Certificate[]>(calls.certificates());
  };
  const timer = setInterval(() => void read(), every);
  const ends = [effect(() => void (configChanges.value, read())), effect(showWorst)];
  return () => {
    clearInterval(timer);
    for (const end of ends) end();
  };
}

async function quietly<T>(call: ReturnType<typeof calls.upstreams>): Promise<T | null> {
  try {
    return (await ask(call)).json as T;
  } catch {
    return null;
  }
}

/** The icon gets a mark with the worst state. Each is a file, since the policy lets no image be written into the page. */
function showWorst(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const file = link?.dataset[worst.value];
  if (link !== null && file !== undefined) link.href = file;
}
