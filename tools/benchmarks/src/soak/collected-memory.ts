/** Measures the memory of Sluice after garbage collection. Taking a heap snapshot of a thread makes V8 collect all garbage. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';

interface Vars {
  readonly threads: readonly {
    readonly thread: number;
    readonly heap: { readonly used_heap_size: number; readonly external_memory: number };
  }[];
}

/**
 * Returns the memory of all threads in bytes, on and off the heap. Returns 0 if the server has no endpoint for heap snapshots. `saveAs`
 * saves the snapshots, one file per thread. `inspect` receives each snapshot.
 */
export async function collectedMemory(
  admin: number,
  saveAs = '',
  inspect: ((snapshot: string) => void) | null = null,
): Promise<number> {
  const first = await vars(admin);
  if (first === null) return 0;
  for (const { thread } of first.threads) {
    const file = saveAs && `${saveAs}.${thread}.heapsnapshot`;
    if (file) writeFileSync(file, '');
    const chunks: string[] = [];
    await get(admin, `/debug/pprof/heap?thread=${thread}`, (chunk) => {
      if (file) appendFileSync(file, chunk);
      if (inspect !== null) chunks.push(chunk);
    });
    inspect?.(chunks.join(''));
  }
  const { threads } = (await vars(admin)) ?? first;
  return threads.reduce((sum, { heap }) => sum + heap.used_heap_size + heap.external_memory, 0);
}

async function vars(admin: number): Promise<Vars | null> {
  let text = '';
  const status = await get(admin, '/debug/vars', (chunk) => (text += chunk));
  const found = status === 200 ? (JSON.parse(text) as Partial<Vars>) : {};
  return found.threads === undefined ? null : (found as Vars);
}

function get(port: number, path: string, take: (chunk: string) => unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', take);
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
    });
    call.on('error', reject).end();
  });
}
