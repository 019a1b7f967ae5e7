/** Handlers and matchers whose texts use `{http.request.body}`: the body is in memory before they run. */
import { isObject, type Json } from '@sluice/base';
import { bufferBody, type RequestBody } from '../exchange/body.ts';
import type { Exchange, Next } from '../exchange/exchange.ts';
import type { HttpHandler, Watch } from '../handler.ts';

/** Whether a body has to be read before a handler can look at it. */
export function isUnread(body: RequestBody): boolean {
  return body.length !== 0 && body.buffered() === null;
}

/**
 * The handler, after a body that is complete if its configuration `node` mentions it. Only there, not before the chain:
 * what stands before it may limit the body or the time for it. Routes within routes read it themselves.
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

/** Looks for the placeholder in any key and text; configurations of modules are small, and this is once per provision. */
export function mentionsBody(node: Json | undefined, key = ''): boolean {
  if (key.includes(placeholder)) return true;
  if (typeof node === 'string') return node.includes(placeholder);
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([name, value]) => mentionsBody(value, name));
}

const placeholder = 'http.request.body';
