/** Log lines from `GET /logs/stream`, received while a view subscribes. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { listen } from '../../api/events.ts';
import { parseLogLine, type LogLine } from '../../base/log-line.ts';

/** Maximum number of log lines that the page keeps. */
export const keptLines = 5000;

/** Interval between updates of the view, in milliseconds. Hundreds of lines may arrive in one interval. */
const interval = 250;

/** Received log lines and the state of the stream. */
export interface LogStream {
  /** Lines, newest last. */
  readonly lines: Signal<readonly LogLine[]>;
  /** Number of log lines that the server dropped because of its rate limit. */
  readonly dropped: Signal<number>;
  /** Reason why the log stream is unavailable, or `null` if it is open. */
  readonly problem: Signal<string | null>;
  readonly isConnected: Signal<boolean>;
}

/** Subscribes to log lines while the component is mounted. `isAllowed` is true if the token permits the subscription. */
export function useLogStream(isAllowed: boolean): LogStream {
  const lines = useSignal<readonly LogLine[]>([]);
  const dropped = useSignal(0);
  const problem = useSignal<string | null>(null);
  const isConnected = useSignal(false);
  useEffect(() => {
    if (!isAllowed) return undefined;
    let waiting: LogLine[] = [];
    let next = lines.value.at(-1)?.id ?? 0;
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      lines.value = [...lines.value, ...waiting].slice(-keptLines);
      waiting = [];
    }, interval);
    const end = listen(calls.logs(), {
      onState: (state) => {
        problem.value = state;
        isConnected.value = state === null;
      },
      onEvent: ({ name, data }) => {
        if (name === 'dropped') dropped.value += (data as { readonly lines: number }).lines;
        if (name !== 'line') return;
        const { line, output } = data as { readonly line: string; readonly output: string };
        next += 1;
        waiting.push(parseLogLine(line, { id: next, output, at: Date.now() }));
      },
    });
    return () => {
      clearInterval(timer);
      end();
    };
  }, [isAllowed]);
  return { lines, dropped, problem, isConnected };
}
