/** Routes that modules contribute through `Registry.hooks.adminRoutes`. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { guarded, taskOf, SluiceError } from '@sluice/base';
import type { AdminHandler, AdminRequest, AdminResponse, AdminRoute, Registry } from '@sluice/registry';
import { methodOf, targetOf } from '../call.ts';
import { requestError } from '../errors.ts';
import { answerBody, answerError, answerJson } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import type { ApiOptions } from './changes.ts';

/** Longest text of an error that is kept, in characters. */
const longestError = 10_000;

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
  response.on(
    'close',
    guarded(taskOf('admin'), () => gone.abort()),
  );
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
  else if (status >= 400 && !isJson(headers)) {
    // Whatever a module says, errors of the API have one form.
    for (const [name, value] of Object.entries(headers)) if (!isAboutBody(name)) response.setHeader(name, value);
    answerError(response, status, (await textOf(body)) || (STATUS_CODES[status] ?? `status ${status}`));
  } else if (typeof body === 'string' || Buffer.isBuffer(body)) answerBody(response, status, body, headers);
  else await stream(response, status, headers, body);
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(([name, value]) => /^content-type$/i.test(name) && /[/+]json\b/i.test(value));
}

function isAboutBody(name: string): boolean {
  return /^(?:content-|transfer-encoding$|etag$)/i.test(name);
}

/** The whole text of a body that is an error, up to what an error may be long. */
async function textOf(body: string | Buffer | AsyncIterable<string | Buffer>): Promise<string> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString().trim();
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString();
    if (text.length > longestError) break;
  }
  return text.slice(0, longestError).trim();
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
