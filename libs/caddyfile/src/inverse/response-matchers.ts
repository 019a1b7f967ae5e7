/** Matchers of responses as lines. */
import { isArray, isObject, type Json } from '@sluice/base';
import type { Line } from './written.ts';

/** The definition of a matcher of responses under a name, such as `match` or `@name`. */
export function responseMatcherLine(name: string, match: Json): Line {
  const { status_code: statuses, headers } = isObject(match) ? match : {};
  const block: Line[] = [];
  if (isArray(statuses)) block.push({ words: ['status', ...statuses.map(statusWord)] });
  for (const [field, values] of Object.entries(isObject(headers) ? headers : {})) {
    const list = isArray(values) ? values : [];
    if (list.length === 0) block.push({ words: ['header', `!${field}`] });
    for (const value of list) block.push({ words: ['header', field, String(value)] });
  }
  return { words: [name], block };
}

function statusWord(status: Json): string {
  return typeof status === 'number' && status < 10 ? `${status}xx` : String(status);
}
