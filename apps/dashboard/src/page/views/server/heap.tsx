/** V8 heap statistics of each thread, and heap snapshots. */
import { calls } from '../../api/calls.ts';
import { bytes, percent, short } from '../../base/format.ts';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Card, State } from '../../parts/basic.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';

/** Heap statistics, from `GET /debug/vars`. */
export interface HeapStatistics {
  readonly used_heap_size: number;
  readonly total_heap_size: number;
  readonly heap_size_limit: number;
  /** Memory outside of the heap, such as buffers. */
  readonly external_memory: number;
  readonly malloced_memory: number;
  readonly number_of_native_contexts: number;
  readonly number_of_detached_contexts: number;
}

/** Fraction of the heap limit above which a heap is nearly full. */
const nearlyFull = 0.85;

const columns = [
  'Thread',
  'Used / limit',
  ...numberColumns('Used', 'Committed', 'Limit', 'External', 'Malloced', 'Contexts', 'Detached contexts'),
  'Snapshot',
];

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
            <td class="number">{short(heap.number_of_native_contexts)}</td>
            <td class="number">{short(heap.number_of_detached_contexts)}</td>
            <td>
              <CopyAsCurl call={calls.heap({}, { query: { thread } })} />
            </td>
          </tr>
        ))}
      </Table>
      <p class="pad soft">
        A heap snapshot contains all objects of a thread, including secrets. The copied command saves the snapshot on
        the machine where you run the command. The thread is paused while the snapshot is taken. Open the snapshot in
        your browser's developer tools.
      </p>
    </Card>
  );
}
