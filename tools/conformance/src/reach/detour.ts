/** Handlers that make a request one that a matcher set matches: what an earlier route has not taken, a later one may get by them. */
import type { JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { fit, type Draft } from './draft.ts';

const unset: Draft = { host: '', path: '', query: '', method: '', x: null, overTls: false, client: '' };

/** The handlers; none where a set is about nothing that handlers change. */
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
