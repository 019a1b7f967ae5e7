/** Placeholders for the error that error routes are handling, such as `http.error.status_code`. */
import { messageOf, type Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { statusText } from '@sluice/http1';
import { statusOf } from '../errors.ts';

type Read = (error: unknown, exchange: Exchange) => unknown;

const parts = {
  '': (error, exchange) => `{id=${exchange.errorId}} HTTP ${statusOf(error)}: ${messageOf(error)}`,
  '.status_code': (error) => statusOf(error),
  '.status_text': (error) => statusText(statusOf(error)),
  '.message': (error) => messageOf(error),
  '.trace': (error) => (error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : ''),
  '.id': (_, exchange) => exchange.errorId,
} satisfies Readonly<Record<string, Read>>;

export type ErrorPlaceholder = `http.error${keyof typeof parts}`;

/** Resolves placeholder names that start with `http.error`. They have values only while an error is handled. */
export function resolveError(rest: string): Accessor<Exchange> | null {
  const read: Read | undefined = Object.hasOwn(parts, rest) ? parts[rest as keyof typeof parts] : undefined;
  if (read === undefined) return null;
  return (exchange) => (exchange.error === null ? undefined : read(exchange.error, exchange));
}
