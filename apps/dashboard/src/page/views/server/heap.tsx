/** What the heaps of the threads are made of, by the numbers of V8; what is in one, a snapshot has. */
import { calls } from '../../api/calls.ts';
import { bytes, percent, short } from '../../base/format.ts';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Card, State } from '../../parts/basic.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';

/** Of `GET /debug/vars`. */
export interface HeapStatistics {
  readonly used_heap_size: number;
  readonly total_heap_size: number;
  readonly heap_size_limit: number;
  /** Buffers and the like, which are not in the heap. */
  readonly external_memory: number;
  readonly malloced_memory: number;
  readonly number_of_native_contexts: number;
  readonly number_of_detached_contexts: number;
}

/** From this part of its limit on a heap counts as nearly full. */
const nearlyFull = 0.85;

const columns = [
  'Thread',
  'Of its limit',
  ...numberColumns('used', 'reserved', 'limit', 'outside of it', 'by V8 itself', 'contexts, left behind'),
  'Snapshot',
];

/** The table. */
export function Heap({ threads }: { threads: readonly { readonly thread: number; readonly heap: HeapStatistics }[] }) {
  return (
    <Card title="Heaps">
      <Table columns={columns}>
        {threads.map(({ thread, heap }) => (
          <tr key={thread}>
            <th scope="row">{thread}</th>
            <td>
              <State health={heap.used_heap_size / heap.heap_size_limit > nearlyFull ? 'warn' : 'ok'}>
                {percent(heap.used_heap_size, heap.heap_size_limit)}
              </State>
            </td>
            {[
              heap.used_heap_size,
              heap.total_heap_size,
              heap.heap_size_limit,
              heap.external_memory,
              heap.malloced_memory,
            ].map((size, index) => (
              <td key={index} class="number">
                {bytes(size)}
              </td>
            ))}
            <td class="number">
              {short(heap.number_of_native_contexts)}, {short(heap.number_of_detached_contexts)}
            </td>
            <td>
              <CopyAsCurl call={calls.heap({}, { query: { thread } })} />
            </td>
          </tr>
        ))}
      </Table>
      <p class="pad soft">
        A snapshot has every object of a thread, and so every secret of the server: the command writes it to where you
        run it, and the thread stands still meanwhile. Open it in the developer tools of a browser.
      </p>
    </Card>
  );
}
