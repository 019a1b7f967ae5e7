import { isObject, withoutKey, type Json, type Logger } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { HttpHandler } from '../handler.ts';

/** Logger for traces. Present if tracing is enabled for the server. */
export const traceToken: Token<Logger> = token<Logger>('http-trace');

/** Wraps a handler to log each call before it runs. `node` is the handler's configuration. */
export function traced(handler: HttpHandler, node: Json | undefined, log: Logger): HttpHandler {
  const name = isObject(node) ? String(node['handler']) : '';
  const fields = { module: isObject(node) ? withoutKey(node, 'handler') : {} };
  return {
    handle: (exchange, next) => {
      log.debug(name, fields);
      return handler.handle(exchange, next);
    },
    // Simulated requests write no log entries.
    watched: (watch) => {
      const inner = handler.watched?.(watch) ?? handler;
      return watch.rehearsal === null ? traced(inner, node, log) : inner;
    },
  };
}
