/** Buffers request bodies for handlers and matchers whose templates use `{http.request.body}`. */
import { isObject, type Json } from '@sluice/base';
import { bufferBody, type RequestBody } from '../exchange/body.ts';
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { HttpHandler, Watch } from '../handler.ts';

/** Reports whether the body must still be buffered before a handler can use it. */
export function isUnread(body: RequestBody): boolean {
  return body.length !== 0 && body.buffered() === null;
}

/**
 * Wraps a handler whose configuration `node` refers to the request body, so that the body is buffered first. The body is buffered only when
 * the handler is reached, because earlier handlers may limit its size or read time. Nested routes buffer the body themselves.
 */
export function withBody(handler: HttpHandler, node: Json | undefined): HttpHandler {
  const own = isObject(node)
    ? Object.entries(node).some(([key, value]) => key !== 'routes' && mentionsBody(value, key))
    : false;
  return own ? reading(handler) : handler;
}

function reading(handler: HttpHandler): HttpHandler {
  return {
    handle: (exchange, next) => readFirst(exchange, handler, next),
    watched: (watch: Watch) => reading(handler.watched?.(watch) ?? handler),
  };
}

function readFirst(exchange: Exchange, handler: HttpHandler, next: Next): void | Promise<void> {
  return isUnread(exchange.body) ? readThenRun(exchange, handler, next) : handler.handle(exchange, next);
}

async function readThenRun(exchange: Exchange, handler: HttpHandler, next: Next): Promise<void> {
  exchange.body = await bufferBody(exchange.body);
  await handler.handle(exchange, next);
}

/** Searches all keys and strings for the body placeholder. Runs once, during provisioning. */
export function mentionsBody(node: Json | undefined, key = ''): boolean {
  if (key.includes(placeholder)) return true;
  if (typeof node === 'string') return node.includes(placeholder);
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([name, value]) => mentionsBody(value, name));
}

const placeholder = 'http.request.body';
