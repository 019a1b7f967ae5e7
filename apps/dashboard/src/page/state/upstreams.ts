/** Reads the upstreams. The first call reads all upstreams, and later calls only the changed upstreams. */
import { ask } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { upstreams, type Upstream } from './health.ts';

interface Changes {
  readonly cursor: string;
  readonly complete: boolean;
  readonly upstreams: readonly Upstream[];
}

let cursor: string | null = null;
let reading: Promise<void> | null = null;

/** Clears data that was read with another token. */
export function forgetUpstreams(): void {
  cursor = null;
  upstreams.value = null;
}

/** Reads the upstreams that changed since the previous call. Concurrent calls share one result. */
export function readUpstreams(): Promise<void> {
  reading ??= read().finally(() => {
    reading = null;
  });
  return reading;
}

async function read(): Promise<void> {
  const query = cursor === null || upstreams.peek() === null ? {} : { query: { since: cursor } };
  const changes = (await ask(calls.upstreamSummary({}, query))).json as Changes;
  cursor = changes.cursor;
  if (changes.complete) upstreams.value = changes.upstreams;
  else if (changes.upstreams.length > 0) upstreams.value = merged(upstreams.peek() ?? [], changes.upstreams);
}

function merged(known: readonly Upstream[], changed: readonly Upstream[]): readonly Upstream[] {
  const byAddress = new Map(known.map((each) => [each.address, each]));
  for (const each of changed) byAddress.set(each.address, each);
  return [...byAddress.values()];
}
