/**
 * Handlers that change a request to make it match a matcher set. They allow requests not handled by an earlier route to reach a later
 * route.
 */
import type { JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { fit, type Draft } from './draft.ts';

const unset: Draft = { host: '', path: '', query: '', method: '', x: null, overTls: false, client: '' };

/** Returns handlers that make a request match the set. Returns none if handlers cannot change the matched properties. */
export function handlersInto(random: Random, set: JsonObject): JsonObject[] {
  const draft = { ...unset };
  fit(random, draft, set);
  const fields = {
    ...(draft.host === '' ? {} : { Host: [draft.host] }),
    ...(draft.x === null ? {} : { X: [draft.x] }),
  };
  const uri = `${draft.path}${draft.query}`;
  return [
    ...(uri === '' ? [] : [{ handler: 'rewrite', uri }]),
    ...(draft.method === '' ? [] : [{ handler: 'rewrite', method: draft.method }]),
    ...(Object.keys(fields).length === 0 ? [] : [{ handler: 'headers', request: { set: fields } }]),
  ];
}
