/** `error_page`: content served instead of an error. */
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import type { Directive } from '../syntax/directive.ts';

export interface ErrorPage {
  readonly directive: Directive;
  readonly statuses: readonly number[];
  /** Response status; `null` means the error status, `'response'` means the page status. */
  readonly status: number | 'response' | null;
  /** Path, URL or location name. */
  readonly to: string;
}

/** Returns the applicable pages of a block, innermost first. */
export function errorPages(scope: Scope): ErrorPage[] {
  return scope.all('error_page').map((directive) => {
    const args = [...directive.args];
    const to = args.pop() ?? '';
    const sign = args.at(-1)?.startsWith('=') === true ? args.pop() : undefined;
    const statuses = args.map((text) => {
      if (!/^[345]\d\d$/.test(text))
        throw problemAt(
          directive,
          `expected status codes from 300 to 599 and a page after error_page, not ${JSON.stringify(text)}`,
        );
      return Number(text);
    });
    if (statuses.length === 0) throw problemAt(directive, 'error_page requires status codes and a page');
    const status = sign === undefined ? null : sign === '=' ? 'response' : Number(sign.slice(1));
    return { directive, statuses, status, to };
  });
}
