/** Returns a handler that sets headers on successful responses. */
import type { Node } from '../json.ts';
import { successes } from './fields.ts';

/** Returns a handler that sets headers on responses with one of these statuses. */
export function setting(fields: Readonly<Record<string, string>>, statuses: readonly number[] = successes): Node {
  const set = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
  return { handler: 'headers', response: { set, deferred: true, require: { status_code: statuses } } };
}
