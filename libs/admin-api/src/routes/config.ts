/** Handles `/config/…` and `/id/…` requests, which read and change any value in the configuration. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fleetHandle } from '@sluice/contracts';
import { checkDestination, scopeOf } from './scope-checks.ts';
import { changeOptionsOf, methodOf, targetOf } from '../call.ts';
import { configDestination, idDestination, type Destination } from '../config/destination.ts';
import { formatTag } from '../config/entity-tag.ts';
import { readStrictly } from '../config/read.ts';
import { sendDocument, sendRedirect } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';
import { changeConfig } from './config-change.ts';
import { sendConverted } from './converted.ts';
import { refuseMethod } from './method.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export async function handleConfig(request: IncomingMessage, response: ServerResponse, api: ApiOptions): Promise<void> {
  const { path } = targetOf(request);
  await handle(request, response, configDestination(path.slice('/config'.length)), api);
}

/** Handles `/id/…` requests. Reports an unknown `@id` before other errors. Redirects to `/config/` if the `@id` belongs to the root object. */
export async function handleId(request: IncomingMessage, response: ServerResponse, api: ApiOptions): Promise<void> {
  const { path, query } = targetOf(request);
  const destination = idDestination(path.slice('/id'.length), api.reconciler);
  checkDestination(scopeOf(request, api.reconciler), destination);
  let isRoot = false;
  try {
    isRoot = destination.locate().length === 0;
  } catch (error) {
    if (!methods.has(methodOf(request)) || !(await wasMade(request, api))) throw error;
  }
  if (isRoot) sendRedirect(response, methodOf(request), `/config/${query}`);
  else await handle(request, response, destination, api);
}

/**
 * Reports whether the fleet log contains a change with the same `Idempotency-Key` as this request. If that change removed the value, the
 * `@id` no longer exists.
 */
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
  checkDestination(scopeOf(request, api.reconciler), destination);
  if (method === 'GET') await read(request, response, destination, api);
  else await changeConfig(request, response, destination, api);
}

/** Reads a configuration value. The entire configuration is also available in other formats. */
async function read(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  { reconciler }: ApiOptions,
): Promise<void> {
  const membership = reconciler.service(fleetHandle)?.membership ?? null;
  if (membership !== null) {
    await (await import('./fleet-changes.ts')).waitForRevision(membership, request);
    // Report the fleet revision at the time of reading.
    response.setHeader('Sluice-Revision', String(membership.revision));
  }
  const path = destination.locate();
  const value = readStrictly(reconciler.document, path);
  const fields = { Etag: formatTag(destination.tagPath(), value) };
  if (path.length === 0 && (await sendConverted(request, response, value, { reconciler, fields }))) return;
  await sendDocument(response, value, fields);
}
