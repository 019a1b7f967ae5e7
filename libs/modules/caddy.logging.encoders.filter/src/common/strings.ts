/** Filters for strings, including those in header value lists. */
import type { LogFieldFilter } from '@sluice/contracts';

/** Returns a filter that changes strings and lists of strings, and keeps other values. */
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
