import { isObject, withoutKey, type Json, type Logger } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { HttpHandler } from '../handler.ts';

/** Logger for traces. Present if the server has tracing enabled. */
export const traceToken: Token<Logger> = token<Logger>('http-trace');

/** Wraps a handler so that it is logged before it runs. `node` is its configuration. */
export function traced(handler: HttpHandler, node: Json | undefined, log: Logger): HttpHandler {
  const name = isObject(node) ? String(node['handler']) : '';
  const fields = { module: isObject(node) ? withoutKey(node, 'handler') : {} };
  return {
    handle: (exchange, next) => {
      log.debug(name, fields);
      return handler.handle(exchange, next);
    },
    // Simulated requests leave no log entries.
    watched: (watch) => {
      const inner = handler.watched?.(watch) ?? handler;
      return watch.rehearsal === null ? traced(inner, node, log) : inner;
    },
  };
}
