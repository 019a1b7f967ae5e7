/** `client_max_body_size`: the largest body of a request. Without it nginx takes one mebibyte. */
import { raise, terminal, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import { parseSize } from '../text/values.ts';

function limitOf(scope: Scope): number {
  const directive = scope.find('client_max_body_size');
  return directive === undefined ? 1024 ** 2 : parseSize(directive, directive.args[0] ?? '');
}

/** The handlers that bound a body that is read. */
export function bodyHandlers(scope: Scope): Node[] {
  const limit = limitOf(scope);
  return limit === 0 ? [] : [{ handler: 'request_body', max_size: limit }];
}

/** The routes that refuse a body that says itself that it is too large, before any of it is read. */
export function bodyRoutes(scope: Scope): Node[] {
  const limit = limitOf(scope);
  if (limit === 0) return [];
  const pattern = `^0*(?:${largerThan(String(limit))})$`;
  return [terminal([raise(413)], [{ header_regexp: { 'Content-Length': { pattern } } }])];
}

/** An expression for the numbers, without zeros before them, that are larger than one. */
function largerThan(limit: string): string {
  const choices = [`\\d{${limit.length + 1},}`];
  for (const [i, digit] of [...limit].entries()) {
    if (digit === '9') continue;
    const rest = limit.length - i - 1;
    choices.push(`${limit.slice(0, i)}[${Number(digit) + 1}-9]${rest === 0 ? '' : `\\d{${rest}}`}`);
  }
  return choices.join('|');
}
