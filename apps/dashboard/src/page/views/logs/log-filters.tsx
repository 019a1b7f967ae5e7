/** Live log filters. They are part of the URL, so that a filtered view can be bookmarked. */
import { levels, type LogFilters } from '../../base/log-line.ts';
import { Field } from '../../parts/basic.tsx';

/** On phones, the filters are collapsed initially. */
const isNarrow = matchMedia('(max-width: 720px)').matches;

interface LogFiltersProps {
  readonly filters: LogFilters;
  readonly onFilter: (name: keyof LogFilters, value: string) => void;
  readonly onClear: () => void;
}

const inputs: readonly (readonly [name: keyof LogFilters, label: string, placeholder: string])[] = [
  ['host', 'Host', 'shop.example.com'],
  ['status', 'Status', '404 or 5xx'],
  ['path', 'Path', '/cart'],
  ['slower', 'Min. duration (ms)', '500'],
  ['method', 'Method', 'GET'],
  ['logger', 'Logger', 'http.log.access'],
  ['find', 'Any text', ''],
];

export function LogFilterFields({ filters, onFilter, onClear }: LogFiltersProps) {
  const count = Object.values(filters).filter((value) => value !== '').length;
  return (
    <details class="log-filter-box" open={!isNarrow}>
      <summary>{count === 0 ? 'Filters' : `Filters (${count} active)`}</summary>
      <form class="log-filters" role="search" aria-label="Filter the log" onSubmit={(event) => event.preventDefault()}>
        <Field label="Level">
          <select value={filters.level} onChange={(event) => onFilter('level', event.currentTarget.value)}>
            <option value="">All levels</option>
            {levels.slice(1).map((level) => (
              <option key={level} value={level}>
                {level === 'error' ? level : `${level} and above`}
              </option>
            ))}
          </select>
        </Field>
        {inputs.map(([name, label, placeholder]) => (
          <Field key={name} label={label}>
            <input
              type="search"
              placeholder={placeholder}
              autocomplete="off"
              spellcheck={false}
              value={filters[name]}
              onInput={(event) => onFilter(name, event.currentTarget.value.trim())}
            />
          </Field>
        ))}
        <button type="button" disabled={count === 0} onClick={onClear}>
          Clear filters
        </button>
      </form>
    </details>
  );
}
