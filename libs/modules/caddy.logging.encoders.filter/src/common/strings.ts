/** Filters of texts: they reach into lists of header values. */
import type { LogFieldFilter } from '@sluice/contracts';

/** A filter that changes texts and the texts of lists, and leaves other values. */
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
