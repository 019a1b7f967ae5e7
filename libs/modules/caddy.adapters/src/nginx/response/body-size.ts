/** `client_max_body_size`: maximum request body size. Default: 1 MiB, as in nginx. */
import { raise, terminal, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import { parseSize } from '../text/values.ts';

function limitOf(scope: Scope): number {
  const directive = scope.find('client_max_body_size');
  return directive === undefined ? 1024 ** 2 : parseSize(directive, directive.args[0] ?? '');
}

/** Returns handlers that limit the body while it is read. */
export function bodyHandlers(scope: Scope): Node[] {
  const limit = limitOf(scope);
  return limit === 0 ? [] : [{ handler: 'request_body', max_size: limit }];
}

/** Returns routes that reject a declared body length above the limit before reading. */
export function bodyRoutes(scope: Scope): Node[] {
  const limit = limitOf(scope);
  if (limit === 0) return [];
  const pattern = `^0*(?:${largerThan(String(limit))})$`;
  return [terminal([raise(413)], [{ header_regexp: { 'Content-Length': { pattern } } }])];
}

/** Returns an expression for numbers without leading zeros that exceed a limit. */
function largerThan(limit: string): string {
  const choices = [`\\d{${limit.length + 1},}`];
  for (const [i, digit] of [...limit].entries()) {
    if (digit === '9') continue;
    const rest = limit.length - i - 1;
    choices.push(`${limit.slice(0, i)}[${Number(digit) + 1}-9]${rest === 0 ? '' : `\\d{${rest}}`}`);
  }
  return choices.join('|');
}
