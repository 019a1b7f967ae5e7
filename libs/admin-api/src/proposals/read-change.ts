/** Parses a change from a request body that contains either a patch or an entire configuration. */
import { isArray, type Json, type JsonObject } from '@sluice/base';
import { applyJsonPatch, shareSubtrees, type Edit } from '@sluice/reconciler';
import { requestError } from '../errors.ts';

/** Throws if the body contains an unknown member. */
export function checkMembers(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw requestError(`${unknown}: unknown property; supported properties: ${known.join(', ')}`);
}

/** Returns the edit in the request body. Returns `null` if the body contains no edit. */
export function readEdit({ patch, config }: JsonObject): Edit | null {
  if (patch === undefined && config === undefined) return null;
  if (patch !== undefined && config !== undefined)
    throw requestError('specify either patch (RFC 6902) or config, not both');
  if (patch === undefined) return (document: Json) => shareSubtrees(document, config ?? null);
  if (!isArray(patch)) throw requestError('patch: must be an array of operations (RFC 6902)');
  return (document: Json) => applyJsonPatch(document, patch, []);
}
