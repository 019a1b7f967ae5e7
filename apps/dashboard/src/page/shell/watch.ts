/** Reads the data for the overview and the page icon, regardless of the current view. */
import { effect, type Signal } from '@preact/signals';
import { ask, isUnreachable } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { certificates, upstreams, worst, type Certificate } from '../state/health.ts';
import { configChanges } from '../state/events.ts';
import { has } from '../state/server.ts';
import { forgetUpstreams, readUpstreams } from '../state/upstreams.ts';

const every = 10_000;

/** Entity tag of the most recently read {@link certificates}. */
let certificatesTag = '""';

/** Reads the health data periodically. Stops when the returned function is called. */
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

/** Reads the list of certificates. The list may contain thousands of certificates, so the server resends it only after a change. */
async function readCertificates(): Promise<void> {
  const known = certificates.peek() === null ? '""' : certificatesTag;
  const { status, headers, json } = await ask(calls.certificates({}, { headers: { 'If-None-Match': known } }));
  if (status === 304) return;
  certificatesTag = headers.get('ETag') ?? '""';
  certificates.value = json as readonly Certificate[];
}

/** Returns an error handler that clears values that the token cannot read. While the server is unreachable, the last values are kept. */
function forgetUnless(values: Signal<unknown>): (error: unknown) => void {
  return (error) => {
    if (!isUnreachable(error)) values.value = null;
  };
}

/** Shows the most severe health state in the page icon. Icons are files, because the content security policy forbids inline images. */
function showWorst(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const file = link?.dataset[worst.value];
  if (link !== null && file !== undefined) link.href = file;
}
