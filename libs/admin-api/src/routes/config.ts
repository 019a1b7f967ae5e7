/** `/config/…` and `/id/…`: reading and changing any value of the configuration. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fleetHandle } from '@sluice/contracts';
import { applyJsonPatch, applyMergePatch, replaceAt, getAt } from '@sluice/reconciler';
import {
  checkIntended,
  isSluiceError,
  maxDepth,
  messageOf,
  type ConfigPath,
  type Json,
  type ParsedJson,
} from '@sluice/base';
import type { ConfigScope } from '../access/config-scope.ts';
import { authorityOf, changeOptionsOf, methodOf, targetOf, withDigest } from '../call.ts';
import { configDestination, idDestination, type Destination } from '../config/destination.ts';
import { patch, post, put, remove } from '../config/edit.ts';
import { checkPrecondition, formatTag, parseIfMatch, type Precondition } from '../config/entity-tag.ts';
import { readStrictly } from '../config/read.ts';
import { forbidden, requestError, isRequestError, RequestError } from '../errors.ts';
import { sendDocument, sendRedirect } from '../http/send.ts';
import { readBody } from '../http/body.ts';
import { parseJsonBody, tooDeep } from '../http/json-body.ts';
import { essenceOf } from '../http/media-type.ts';
import { respondToChange, applyEdit, refusal, type ApiOptions } from './changes.ts';
import { sendConverted } from './converted.ts';
import { refuseMethod } from './method.ts';
import { readerOf } from './rehearsal-body.ts';
import { withRepeatedKeys } from './repeated-keys.ts';

/** How a body is to be understood. */
type Kind = 'value' | 'json-patch' | 'merge-patch';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Serves `/config/…`. */
export async function handleConfig(request: IncomingMessage, response: ServerResponse, api: ApiOptions): Promise<void> {
  const { path } = targetOf(request);
  await handle(request, response, configDestination(path.slice('/config'.length)), api);
}

/** Serves `/id/…`. An unknown identifier comes before everything else; the root is led to by its proper path. */
export async function handleId(request: IncomingMessage, response: ServerResponse, api: ApiOptions): Promise<void> {
  const { path, query } = targetOf(request);
  const destination = idDestination(path.slice('/id'.length), api.reconciler);
  checkDestination(scopeOf(request, api), destination);
  let isRoot = false;
  try {
    isRoot = destination.locate().length === 0;
  } catch (error) {
    if (!methods.has(methodOf(request)) || !(await wasMade(request, api))) throw error;
  }
  if (isRoot) sendRedirect(response, methodOf(request), `/config/${query}`);
  else await handle(request, response, destination, api);
}

/** Whether a change with this `Idempotency-Key` is in the log of the fleet: what it removed is not there any more. */
async function wasMade(request: IncomingMessage, { reconciler }: ApiOptions): Promise<boolean> {
  const { op } = changeOptionsOf(request);
  const membership = reconciler.service(fleetHandle)?.membership ?? null;
  return op !== undefined && membership !== null && (await membership.find(op)) !== null;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  api: ApiOptions,
): Promise<void> {
  const method = methodOf(request);
  if (!methods.has(method)) refuseMethod(request, response, methods);
  checkDestination(scopeOf(request, api), destination);
  if (method === 'GET') await read(request, response, destination, api);
  else await change(request, response, destination, api);
}

function scopeOf(request: IncomingMessage, { reconciler }: ApiOptions): ConfigScope | null {
  return authorityOf(request).scopeOf(methodOf(request), reconciler);
}

/** Who may not go there does not learn either whether there is such an object. */
function checkDestination(scope: ConfigScope | null, destination: Destination): void {
  if (scope === null) return;
  let path: ConfigPath | null = null;
  try {
    path = destination.locate();
  } catch (error) {
    if (!isSluiceError(error)) throw error;
  }
  if (path === null || !scope.contains(path)) throw forbidden('this part of the configuration is not in the scope');
}

/** The whole configuration is also given in another format, if the client asks for one. */
async function read(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  { reconciler }: ApiOptions,
): Promise<void> {
  const membership = reconciler.service(fleetHandle)?.membership ?? null;
  if (membership !== null) {
    await (await import('./fleet-changes.ts')).waitForRevision(membership, request);
    // At the moment at which it is read.
    response.setHeader('Sluice-Revision', String(membership.revision));
  }
  const path = destination.locate();
  const value = readStrictly(reconciler.document, path);
  const fields = { Etag: formatTag(destination.tagPath(), value) };
  if (path.length === 0 && (await sendConverted(request, response, value, { reconciler, fields }))) return;
  await sendDocument(response, 200, value, fields);
}

async function change(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  api: ApiOptions,
): Promise<void> {
  const method = methodOf(request);
  const kind = kindOfBody(method, request.headers['content-type']);
  const precondition = parseIfMatch(request.headers['if-match']);
  const scope = scopeOf(request, api);
  if (precondition !== null) checkPreconditionScope(scope, precondition);
  const asked = changeOptionsOf(request);
  const isBeyondReference = kind !== 'value' || asked.dryRun === true;
  const body = method === 'DELETE' ? null : await readBody(request, api.bodyLimit);
  const options = withDigest(asked, body);
  // Without a precondition a broken body need not wait for its turn.
  let parsed = body !== null && precondition === null ? parse(body, isBeyondReference) : null;
  const edit = (document: Json): Json => {
    checkDestination(scope, destination); // Objects may have moved.
    if (precondition !== null) checkPrecondition(precondition, document);
    if (body !== null) parsed ??= parseJsonBody(body);
    const after = editDocument(document, destination, { method, kind, body: parsed });
    if (body?.length === 0) refuseAccident(body, after);
    const refused = scope?.refusal(document, after) ?? null;
    if (refused !== null) throw forbidden(refused);
    return after;
  };
  try {
    // What may be shown is only known of each by name.
    const result = await applyEdit(api, edit, scope === null ? options : { ...options, maxKept: Infinity });
    const isTold = result.report !== null && body !== null && kind !== 'json-patch';
    const told = isTold ? withRepeatedKeys(result, body, destination.locate()) : result;
    await respondToChange(response, told, [], readerOf(request, options, scope));
  } catch (error) {
    throw withPreciseStatus(refusal(error, 500, 'loading new config', api.log), isBeyondReference);
  }
}

/** An empty body is `null`, as with the reference; but it does not unload what is served (`curl -d @missing-file`). */
function refuseAccident(body: Buffer, after: Json): void {
  try {
    checkIntended(body, after, 'the request body');
  } catch (error) {
    throw requestError(messageOf(error));
  }
}

/** The response to a precondition that does not hold has a hash of what is there. */
function checkPreconditionScope(scope: ConfigScope | null, { segments: [top, ...inside] }: Precondition): void {
  if (scope === null || (top === 'config' && scope.contains(inside))) return;
  throw forbidden('If-Match names a part of the configuration that is not in the scope');
}

function parse(body: Buffer, isBeyondReference: boolean): ParsedJson {
  try {
    return parseJsonBody(body);
  } catch (error) {
    throw withPreciseStatus(error, isBeyondReference);
  }
}

/** Responses beyond the reference have the status that fits best. */
function withPreciseStatus(error: unknown, precise: boolean): unknown {
  if (!precise || !isRequestError(error) || error.preciseStatus === error.status) return error;
  return new RequestError(error.code, error.message, { status: error.preciseStatus, cause: error });
}

function kindOfBody(method: string, contentType: string | undefined): Kind {
  const essence = essenceOf(contentType);
  if (method === 'PATCH' && essence === 'application/json-patch+json') return 'json-patch';
  if (method === 'PATCH' && essence === 'application/merge-patch+json') return 'merge-patch';
  if (method !== 'DELETE' && !(contentType ?? '').includes('/json')) {
    throw requestError(`unacceptable Content-Type ${JSON.stringify(contentType ?? '')}: application/json is required`);
  }
  return 'value';
}

/** How a request changes what it names. */
interface Edit {
  readonly method: string;
  readonly kind: Kind;
  /** `null` where there is none, as for DELETE. */
  readonly body: ParsedJson | null;
}

function editDocument(document: Json, destination: Destination, { method, kind, body }: Edit): Json {
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
  if (target === undefined) throw requestError(`there is nothing at this path to merge into; PUT creates it`, 404);
  const merged = applyMergePatch(target, value);
  return merged === target ? document : replaceAt(document, path, merged);
}

/** The statuses of patches are precise already. */
function patched(apply: () => Json): Json {
  try {
    return apply();
  } catch (error) {
    if (!isSluiceError(error) || isRequestError(error)) throw error;
    throw new RequestError(error.code, error.message, { status: error.status, cause: error });
  }
}
