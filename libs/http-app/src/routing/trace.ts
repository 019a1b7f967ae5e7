/** Tracing: `logs.trace` of a server says of each handler that it is about to run, with its options. */
import { isObject, withoutKey, type Json, type Logger } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { HttpHandler } from '../handler.ts';

/** Provided by a server that traces. */
export const traceToken: Token<Logger> = token<Logger>('http-trace');

/** A handler that is said to run before it does. `node` is its configuration. */
export function traced(handler: HttpHandler, node: Json | undefined, log: Logger): HttpHandler {
  const name = isObject(node) ? String(node['handler']) : '';
  const fields = { module: isObject(node) ? withoutKey(node, 'handler') : {} };
  return {
    handle: (exchange, next) => {
      log.debug(name, fields);
      return handler.handle(exchange, next);
    },
    // What is rehearsed leaves no entries.
    watched: (watch) => {
      const inner = handler.watched?.(watch) ?? handler;
      return watch.rehearsal === null ? traced(inner, node, log) : inner;
    },
  };
}
