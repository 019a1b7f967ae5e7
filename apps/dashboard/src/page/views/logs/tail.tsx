/** The lines of all logs as they are written, from the moment on when someone wants to see them. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { listen } from '../../api/events.ts';
import { lacking } from '../../api/session.ts';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Card, Problem } from '../../parts/basic.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { has } from '../../state/server.ts';

/** How many lines are kept. */
const most = 2000;

interface Line {
  readonly id: number;
  readonly output: string;
  readonly line: string;
}

/** The tail; nothing where the server does not tell of its logs. */
export function Tail() {
  const on = useSignal(false);
  const find = useSignal('');
  const lines = useSignal<readonly Line[]>([]);
  const dropped = useSignal(0);
  const problem = useSignal<string | null>(null);
  const call = calls.logs({}, find.value === '' ? {} : { query: { find: find.value } });
  useEffect(() => {
    if (!on.value) return undefined;
    let waiting: Line[] = [];
    let next = lines.value.at(-1)?.id ?? 0;
    // Lines come by the hundred: the page is drawn a few times a second.
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      lines.value = [...lines.value, ...waiting].slice(-most);
      waiting = [];
    }, 250);
    const end = listen(call, {
      onState: (state) => void (problem.value = state),
      onEvent: ({ name, data }) => {
        if (name === 'dropped') dropped.value += (data as { readonly lines: number }).lines;
        else if (name === 'line') waiting.push({ ...(data as Omit<Line, 'id'>), id: ++next });
      },
    });
    return () => {
      clearInterval(timer);
      end();
    };
  }, [on.value, find.value]);
  if (!has(calls.logs)) return null;
  const lack = lacking(call);
  return (
    <Card
      title="Lines as they are written"
      side={
        <span class="actions">
          <input
            type="search"
            aria-label="Only lines with"
            placeholder="Only lines with"
            maxLength={200}
            value={find.value}
            onChange={(event) => void (find.value = event.currentTarget.value)}
          />
          <button
            type="button"
            aria-pressed={on.value}
            disabled={lack !== null}
            title={lack ?? undefined}
            onClick={() => void (on.value = !on.value)}
          >
            {on.value ? 'Stop following' : 'Follow the logs'}
          </button>
          <CopyAsCurl call={call} />
        </span>
      }
    >
      {lack !== null && <p class="pad lack">{lack}</p>}
      {problem.value !== null && <Problem>Logs: {problem.value}</Problem>}
      {dropped.value > 0 && <p class="pad soft">{dropped.value} lines came too fast to be shown.</p>}
      {lines.value.length === 0 ? (
        <p class="pad soft">{on.value ? 'Nothing is written yet.' : `The last ${most} lines are kept here.`}</p>
      ) : (
        <div class="tail">
          <VirtualList
            rows={lines.value}
            label="Lines of logs"
            role="log"
            follows={on.value}
            render={({ id, output, line }) => (
              <div key={id} class="tree-row" title={line}>
                <span class="soft">{output}</span> <span class="brief">{line}</span>
              </div>
            )}
          />
        </div>
      )}
    </Card>
  );
}
