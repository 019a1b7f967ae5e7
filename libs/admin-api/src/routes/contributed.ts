/** Routes that modules contribute through `Registry.hooks.adminRoutes`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  SluiceError,
  type AdminHandler,
  type AdminRequest,
  type AdminResponse,
  type AdminRoute,
  type Registry,
} from '@sluice/registry';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';
import { answerBody, answerJson } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import type { ApiOptions } from './changes.ts';

/** The handlers of one path by method. */
export type MethodHandlers = ReadonlyMap<string, AdminHandler>;

/** The contributed routes by path. */
export type ContributedRoutes = ReadonlyMap<string, MethodHandlers>;

/** Asks the modules for their routes, once. Two routes of one method and path are an error, as the second were dead. */
export function collectRoutes(registry: Registry): ContributedRoutes {
  const paths = new Map<string, Map<string, AdminHandler>>();
  const add = ({ method, path, handle }: AdminRoute): void => {
    const handlers = paths.get(path) ?? new Map<string, AdminHandler>();
    if (handlers.has(method))
      throw new SluiceError('ERR_ADMIN_ROUTE', `two modules contribute the admin route ${method} ${path}`);
    paths.set(path, handlers.set(method, handle));
  };
  registry.hooks.adminRoutes.call({ add });
  return paths;
}

/** Answers a request of a contributed path. */
export async function handleContributed(
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
  handlers: MethodHandlers,
  { engine, bodyLimit }: ApiOptions,
): Promise<void> {
  const method = methodOf(request);
  const handler = handlers.get(method);
  if (handler === undefined) throw requestError(`method ${method} not allowed`, 405);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const call: AdminRequest = {
    method,
    params,
    query: new URLSearchParams(targetOf(request).query),
    header: (name) => [request.headers[name.toLowerCase()] ?? []].flat().join(', ') || undefined,
    body: () => readBody(request, bodyLimit),
    signal: gone.signal,
  };
  await send(response, await handler(call, engine));
}

async function send(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', json }: AdminResponse,
): Promise<void> {
  if (response.destroyed) return;
  if (json !== undefined) answerJson(response, status, json, headers);
  else if (typeof body === 'string' || Buffer.isBuffer(body)) answerBody(response, status, body, headers);
  else await stream(response, status, headers, body);
}

/** Streams at the client's pace; when the client goes away, the iterator is returned. */
async function stream(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: AsyncIterable<string | Buffer>,
): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  try {
    await pipeline(Readable.from(body, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    if (!response.destroyed) response.destroy();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') throw error;
  }
}
