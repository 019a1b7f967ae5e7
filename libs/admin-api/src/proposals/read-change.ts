/** Reads a change from the body of a request: a patch or a whole configuration. */
import { isArray, type Json, type JsonObject } from '@sluice/base';
import { applyJsonPatch, shareSubtrees, type Edit } from '@sluice/reconciler';
import { requestError } from '../errors.ts';

/** Throws if the body has a member with another name. */
export function checkMembers(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw requestError(`${unknown}: is unknown; supported: ${known.join(', ')}`);
}

/** Returns the edit; `null` if the body has none. */
export function readEdit({ patch, config }: JsonObject): Edit | null {
  if (patch === undefined && config === undefined) return null;
  if (patch !== undefined && config !== undefined) throw requestError('specify either patch (RFC 6902) or config');
  if (patch === undefined) return (document: Json) => shareSubtrees(document, config ?? null);
  if (!isArray(patch)) throw requestError('patch: must be an array of operations (RFC 6902)');
  return (document: Json) => applyJsonPatch(document, patch, []);
}
