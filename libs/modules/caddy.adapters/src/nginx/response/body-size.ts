/** Translates `client_max_body_size`, the maximum size of a request body. Default: 1 MiB, as in nginx. */
import { raise, terminal, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import { parseSize } from '../text/values.ts';

function limitOf(scope: Scope): number {
  const directive = scope.find('client_max_body_size');
  return directive === undefined ? 1024 ** 2 : parseSize(directive, directive.args[0] ?? '');
}

/** Returns handlers that enforce the size limit while the body is being read. */
export function bodyHandlers(scope: Scope): Node[] {
  const limit = limitOf(scope);
  return limit === 0 ? [] : [{ handler: 'request_body', max_size: limit }];
}

/** Returns routes that reject a request if its `Content-Length` exceeds the limit, before the body is read. */
export function bodyRoutes(scope: Scope): Node[] {
  const limit = limitOf(scope);
  if (limit === 0) return [];
  const pattern = `^0*(?:${largerThan(String(limit))})$`;
  return [terminal([raise(413)], [{ header_regexp: { 'Content-Length': { pattern } } }])];
}

/** Returns a regular expression that matches numbers above a limit, without leading zeros. */
function largerThan(limit: string): string {
  const choices = [`\\d{${limit.length + 1},}`];
  for (const [i, digit] of [...limit].entries()) {
    if (digit === '9') continue;
    const rest = limit.length - i - 1;
    choices.push(`${limit.slice(0, i)}[${Number(digit) + 1}-9]${rest === 0 ? '' : `\\d{${rest}}`}`);
  }
  return choices.join('|');
}
