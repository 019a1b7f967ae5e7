/** Reads what the overview and the icon of the page need, whatever view is open. */
import { effect, type Signal } from '@preact/signals';
import { ask, isUnreachable } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { certificates, upstreams, worst, type Certificate } from '../state/health.ts';
import { configChanges } from '../state/events.ts';
import { has } from '../state/server.ts';
import { forgetUpstreams, readUpstreams } from '../state/upstreams.ts';

const every = 10_000;

/** Entity tag of what is in {@link certificates}. */
let certificatesTag = '""';

/** Follows until the function that it gives is called. */
export function watchHealth(): () => void {
  const read = async (): Promise<void> => {
    if (document.hidden) return;
    if (has(calls.upstreamSummary)) await readUpstreams().catch(forgetUnless(upstreams));
    if (has(calls.certificates)) await readCertificates().catch(forgetUnless(certificates));
  };
  forgetUpstreams();
  const timer = setInterval(() => void read(), every);
  const ends = [effect(() => void (configChanges.value, read())), effect(showWorst)];
  return () => {
    clearInterval(timer);
    for (const end of ends) end();
  };
}

/** There may be thousands: they are sent again only if one has changed. */
async function readCertificates(): Promise<void> {
  const known = certificates.peek() === null ? '""' : certificatesTag;
  const { status, headers, json } = await ask(calls.certificates({}, { headers: { 'If-None-Match': known } }));
  if (status === 304) return;
  certificatesTag = headers.get('ETag') ?? '""';
  certificates.value = json as readonly Certificate[];
}

/** What may not be read is not known; while the server is unreachable the last values stay. */
function forgetUnless(values: Signal<unknown>): (error: unknown) => void {
  return (error) => {
    if (!isUnreachable(error)) values.value = null;
  };
}

/** The icon gets a mark with the worst state. Each is a file, since the policy lets no image be written into the page. */
function showWorst(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const file = link?.dataset[worst.value];
  if (link !== null && file !== undefined) link.href = file;
}
