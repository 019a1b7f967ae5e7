/** CPU profiles of a thread, as flame graphs. */
import { useSignal, type Signal } from '@preact/signals';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { lacking } from '../../api/session.ts';
import { boxesOf, type Box, type CpuProfile } from '../../base/flame.ts';
import { milliseconds } from '../../base/format.ts';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Card, Problem } from '../../parts/basic.tsx';

const seconds = 10;
const rowHeight = 20;

export function Profile({ threads, busy }: { threads: readonly number[]; busy: Signal<boolean> }) {
  const thread = useSignal(threads.at(-1) ?? 0);
  const boxes = useSignal<readonly Box[] | null>(null);
  const problem = useSignal<string | null>(null);
  const call = calls.profile({}, { query: { thread: thread.value, seconds } });
  const lack = lacking(call);
  const run = async (): Promise<void> => {
    busy.value = true;
    problem.value = null;
    try {
      boxes.value = boxesOf((await ask(call)).json as CpuProfile);
    } catch (error) {
      problem.value = reasonOf(error);
    }
    busy.value = false;
  };
  return (
    <Card
      title="CPU profile"
      side={
        <>
          <select
            aria-label="Thread"
            value={String(thread.value)}
            onChange={(event) => void (thread.value = Number(event.currentTarget.value))}
          >
            {threads.map((each) => (
              <option key={each} value={String(each)}>
                Thread {each}
              </option>
            ))}
          </select>
          <button
            type="button"
            disabled={busy.value || lack !== null}
            title={lack ?? undefined}
            onClick={() => void run()}
          >
            {busy.value ? 'Profiling…' : `Profile for ${seconds} s`}
          </button>
          <CopyAsCurl call={call} />
        </>
      }
    >
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {boxes.value === null ? (
        <p class="pad soft">Shows where a thread spends its CPU time. Each box is a function, below its caller.</p>
      ) : (
        <Flame boxes={boxes.value} />
      )}
    </Card>
  );
}

function Flame({ boxes }: { boxes: readonly Box[] }) {
  const depth = Math.max(0, ...boxes.map((box) => box.depth)) + 1;
  const top = [...boxes]
    .filter(({ name }) => !/^\((?:root|program|idle)\)$/.test(name))
    .sort((a, b) => b.milliseconds - a.milliseconds);
  return (
    <>
      <div class="flame" aria-hidden="true" style={{ height: `${depth * rowHeight}px` }}>
        {boxes.map(({ id, name, place, depth: at, left, width, milliseconds: time }) => (
          <span
            key={id}
            title={`${name} ${place}: ${milliseconds(time)}`}
            style={{
              top: `${at * rowHeight}px`,
              left: `${(left * 100).toFixed(3)}%`,
              width: `${(width * 100).toFixed(3)}%`,
            }}
          >
            {name}
          </span>
        ))}
      </div>
      <details class="pad">
        <summary>Show as table</summary>
        <table class="list">
          <tbody>
            {top.slice(0, 30).map(({ id, name, place, milliseconds: time }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td class="soft">{place}</td>
                <td class="number">{milliseconds(time)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
