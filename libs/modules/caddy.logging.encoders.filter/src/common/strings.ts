/** Log field filters for strings, including strings in lists of header values. */
import type { LogFieldFilter } from '@sluice/contracts';

/** Returns a filter that changes strings and lists of strings. Other values are not changed. */
export function textFilter(change: (text: string) => string): LogFieldFilter {
  return {
    filter: (key, value) => {
      if (typeof value === 'string') return { key, value: change(value) };
      if (Array.isArray(value))
        return { key, value: value.map((item: unknown) => (typeof item === 'string' ? change(item) : item)) };
      return { key, value };
    },
  };
}
