/** Determines the edit that a request describes from its method and content type. */
import { applyJsonPatch, applyMergePatch, getAt, replaceAt } from '@sluice/reconciler';
import { isSluiceError, maxDepth, type ConfigPath, type Json, type ParsedJson } from '@sluice/base';
import { isRequestError, requestError, RequestError } from '../errors.ts';
import { tooDeep } from '../http/json-body.ts';
import { essenceOf } from '../http/media-type.ts';
import type { Destination } from './destination.ts';
import { patch, post, put, remove } from './edit.ts';

export interface RequestedEdit {
  readonly method: string;
  /** Format of the request body. Caddy supports only plain values, not patches. */
  readonly kind: 'value' | 'json-patch' | 'merge-patch';
}

/** Returns the edit that a request describes. Rejects unsupported content types with status 400. */
export function requestedEdit(method: string, contentType: string | undefined): RequestedEdit {
  const essence = essenceOf(contentType);
  if (method === 'PATCH' && essence === 'application/json-patch+json') return { method, kind: 'json-patch' };
  if (method === 'PATCH' && essence === 'application/merge-patch+json') return { method, kind: 'merge-patch' };
  if (method !== 'DELETE' && !(contentType ?? '').includes('/json')) {
    throw requestError(`unacceptable Content-Type ${JSON.stringify(contentType ?? '')}: application/json is required`);
  }
  return { method, kind: 'value' };
}

/** Returns the edited document. `body` is `null` for DELETE requests. */
export function editDocument(
  { method, kind }: RequestedEdit,
  document: Json,
  destination: Destination,
  body: ParsedJson | null,
): Json {
  const path = destination.locate();
  if (body === null) return remove(document, path);
  if (kind === 'json-patch') return patched(() => applyJsonPatch(document, body.value, path));
  if (kind === 'merge-patch') return patched(() => merge(document, path, body));
  if (method === 'POST') return post(document, path, body, destination.bulk);
  return method === 'PUT' ? put(document, path, body) : patch(document, path, body);
}

function merge(document: Json, path: ConfigPath, { value, depth }: ParsedJson): Json {
  if (path.length + depth > maxDepth) throw tooDeep(path.length + depth);
  const target = getAt(document, path);
  if (target === undefined) throw requestError(`no value exists at this path to merge into; use PUT to create it`, 404);
  const merged = applyMergePatch(target, value);
  return merged === target ? document : replaceAt(document, path, merged);
}

/** Applies a patch. Errors from the patch functions already have precise status codes. */
function patched(apply: () => Json): Json {
  try {
    return apply();
  } catch (error) {
    if (!isSluiceError(error) || isRequestError(error)) throw error;
    throw new RequestError(error.code, error.message, { status: error.status, cause: error });
  }
}
