/** All fields of a log line. */
import { useEffect, useRef } from 'preact/hooks';
import { localTimestamp } from '../../base/format.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { LogFilters, LogLine } from '../../base/log-line.ts';
import { copy } from '../../parts/action.tsx';
import { Card } from '../../parts/basic.tsx';

interface LogDetailsProps {
  readonly line: LogLine;
  readonly onFilter: (name: keyof LogFilters, value: string) => void;
  readonly onClose: () => void;
}

/** Shows the fields beside the list, or below the list on narrow screens. */
export function LogDetails({ line, onFilter, onClose }: LogDetailsProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), [line.id]);
  const filters: readonly (readonly [name: keyof LogFilters, value: string])[] = [
    ['level', line.level],
    ['logger', line.logger],
    ['host', line.host],
    ['method', line.method],
    ['status', line.status === null ? '' : String(line.status)],
    ['path', line.path.split('?')[0] ?? ''],
  ];
  return (
    <div ref={frame} class="log-details">
      <Card
        title="Log entry"
        side={
          <>
            <button type="button" onClick={() => void copy(line.text, 'Log entry')}>
              Copy
            </button>
            <button type="button" class="icon" aria-label="Close log entry" onClick={onClose}>
              ✕
            </button>
          </>
        }
      >
        <div class="pad chips" role="group" aria-label="Filter by">
          {filters
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <button
                key={name}
                type="button"
                class="chip-button"
                title={`Show only lines with ${name} ${value}`}
                onClick={() => onFilter(name, value)}
              >
                {name}: {value}
              </button>
            ))}
        </div>
        <dl class="facts" tabIndex={0} aria-label="Fields">
          <dt>Time</dt>
          <dd>{localTimestamp(line.time)}</dd>
          <dt>Output</dt>
          <dd>{line.output}</dd>
          {flat(line.fields ?? { message: line.text }).map(([name, value]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}-value`} class="mono">
              {value}
            </dd>,
          ])}
        </dl>
      </Card>
    </div>
  );
}

/** Returns fields. The names of nested fields are joined by dots. */
function flat(fields: JsonObject, prefix = ''): readonly (readonly [name: string, value: string])[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isObject(value) && Object.keys(value).length > 0
      ? flat(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, textOf(value)] as const],
  );
}

function textOf(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
