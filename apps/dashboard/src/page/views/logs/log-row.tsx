/** A row of the live log. */
import { localTimestamp, localTime, milliseconds } from '../../base/format.ts';
import { healthOfLine, type LogLine } from '../../base/log-line.ts';
import { State } from '../../parts/basic.tsx';

/** Column headers, in cell order. */
const titles = ['Time', 'Level', 'Logger', 'Host', 'Method', 'Status', 'Duration', 'Path or message'];

export function LogHeader() {
  return (
    <div role="row" class="log-row log-header" aria-rowindex={1}>
      {titles.map((title) => (
        <span key={title} role="columnheader">
          {title}
        </span>
      ))}
    </div>
  );
}

interface LogRowProps {
  readonly line: LogLine;
  readonly id: string;
  readonly index: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** Renders the cells of a log line. A click shows all fields. */
export function LogRow({ line, id, index, isActive, isOpen, onOpen }: LogRowProps) {
  const { time, level, logger, host, method, status, milliseconds: duration, path, message, text } = line;
  const what = path === '' ? message || text : path;
  return (
    <div
      id={id}
      role="row"
      class={isActive || isOpen ? 'log-row selected' : 'log-row'}
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      onClick={onOpen}
    >
      <span role="gridcell" class="time" title={localTimestamp(time)}>
        {localTime(time)}
      </span>
      <span role="gridcell" class="level">
        <State health={healthOfLine(line)}>{level || '–'}</State>
      </span>
      <span role="gridcell" class="logger" title={logger}>
        {logger}
      </span>
      <span role="gridcell" class="host" title={host}>
        {host}
      </span>
      <span role="gridcell" class="method">
        {method}
      </span>
      <span role="gridcell" class="status">
        {status ?? ''}
      </span>
      <span role="gridcell" class="duration">
        {duration === null ? '' : milliseconds(duration)}
      </span>
      <span role="gridcell" class="path" title={what}>
        {what}
      </span>
    </div>
  );
}
