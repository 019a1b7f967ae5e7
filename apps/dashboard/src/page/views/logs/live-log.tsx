/** Live log: lines of all logs, displayed as they are written, with filters by field. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { lacking } from '../../api/session.ts';
import { count, short } from '../../base/format.ts';
import { filterNames, matchesFilters, type LogFilters, type LogLine } from '../../base/log-line.ts';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Empty, Problem } from '../../parts/basic.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { adjust, place } from '../../state/location.ts';
import { has } from '../../state/server.ts';
import { LogDetails } from './log-details.tsx';
import { LogFilterFields } from './log-filters.tsx';
import { LogHeader, LogRow } from './log-row.tsx';
import { keptLines, useLogStream } from './log-stream.ts';

/** Number of rows per Page Up or Page Down. */
const pageRows = 10;

export function LiveLog() {
  const call = calls.logs();
  const lack = lacking(call);
  const { lines, dropped, problem, isConnected } = useLogStream(lack === null && has(calls.logs));
  const paused = useSignal<readonly LogLine[] | null>(null);
  const follows = useSignal(true);
  const active = useSignal<number | null>(null);
  const open = useSignal<LogLine | null>(null);
  const { values } = place.value;
  const filters = Object.fromEntries(filterNames.map((name) => [name, values[name] ?? ''])) as unknown as LogFilters;
  const all = paused.value ?? lines.value;
  const rows = useMemo(
    () => all.filter((line) => matchesFilters(line, filters)),
    [all, ...filterNames.map((name) => filters[name])],
  );
  useEffect(() => {
    if (open.value !== null && !matchesFilters(open.value, filters)) open.value = null;
  }, [rows]);
  if (!has(calls.logs)) return <Empty>This server does not support a live log: it has no /logs/stream endpoint.</Empty>;
  const filter = (name: keyof LogFilters, value: string): void => adjust({ [name]: value });
  const at = rows.findIndex(({ id }) => id === active.value);
  const choose = (line: LogLine | undefined, isOpened: boolean): void => {
    if (line === undefined) return;
    active.value = line.id;
    follows.value = false;
    if (isOpened) open.value = open.value?.id === line.id ? null : line;
    else if (open.value !== null) open.value = line;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? rows.length - 1 : at - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: at + pageRows,
      PageUp: at - pageRows,
    };
    const to = steps[event.key];
    if (to !== undefined) choose(rows[Math.min(Math.max(to, 0), rows.length - 1)], false);
    else if (event.key === 'Enter' || event.key === ' ') choose(rows[at], true);
    else if (event.key === 'Escape' && open.value !== null) open.value = null;
    else return;
    event.preventDefault();
  };
  const news = paused.value === null ? 0 : lines.value.filter(({ id }) => id > (paused.value?.at(-1)?.id ?? 0)).length;
  return (
    <>
      {lack !== null && <p class="lack">{lack}</p>}
      {problem.value !== null && <Problem>Live log: {problem.value}</Problem>}
      <LogFilterFields
        filters={filters}
        onFilter={filter}
        onClear={() => adjust(Object.fromEntries(filterNames.map((name) => [name, ''])))}
      />
      <div class="row log-actions">
        <button
          type="button"
          aria-pressed={paused.value !== null}
          disabled={lack !== null}
          onClick={() => void (paused.value = paused.value === null ? lines.value : null)}
        >
          {paused.value === null ? 'Pause' : `Resume (${short(news)} new)`}
        </button>
        <button
          type="button"
          aria-pressed={follows.value}
          disabled={lack !== null}
          title="Scroll to new lines automatically"
          onClick={() => void (follows.value = !follows.value)}
        >
          Follow
        </button>
        <button type="button" disabled={rows.length === 0} onClick={() => download(rows)}>
          Download
        </button>
        <CopyAsCurl call={calls.logs({}, filters.find === '' ? {} : { query: { find: filters.find } })} />
        <span class="soft" role="status">
          {rows.length === all.length
            ? count(all.length, 'line')
            : `${short(rows.length)} of ${count(all.length, 'line')}`}
          {dropped.value > 0 && ` · ${count(dropped.value, 'line')} dropped by the server: more than 1,000 per second`}
        </span>
      </div>
      <div class={open.value === null ? 'log' : 'log opened'}>
        {rows.length === 0 ? (
          <Empty>{emptyText(all.length > 0, isConnected.value)}</Empty>
        ) : (
          <VirtualList
            rows={rows}
            label="Live log"
            role="grid"
            active={at}
            follows={follows.value && paused.value === null}
            header={<LogHeader />}
            idOf={(index) => `line-${rows[index]?.id ?? 0}`}
            onKeyDown={onKeyDown}
            onScrolled={(atEnd) => {
              if (!atEnd || open.value === null) follows.value = atEnd;
            }}
            render={(line, index) => (
              <LogRow
                key={line.id}
                line={line}
                id={`line-${line.id}`}
                index={index}
                isActive={index === at}
                isOpen={line.id === open.value?.id}
                onOpen={() => choose(line, true)}
              />
            )}
          />
        )}
        {open.value !== null && (
          <LogDetails line={open.value} onFilter={filter} onClose={() => void (open.value = null)} />
        )}
      </div>
    </>
  );
}

function emptyText(hasLines: boolean, isConnected: boolean): string {
  if (hasLines) return 'No lines match the filters.';
  if (!isConnected) return 'Connecting…';
  return `Waiting for the first line. New lines appear here; the last ${short(keptLines)} are kept.`;
}

/** Saves lines unchanged. */
function download(lines: readonly LogLine[]): void {
  const name = `log-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.jsonl`;
  saveFile(name, 'application/x-ndjson', lines.map(({ text }) => `${text}\n`).join(''));
}
