/** Translates `error_page`, which specifies content to serve for an error. */
import { problemAt } from '../problem.ts';
import type { Scope } from '../scope.ts';
import type { Directive } from '../syntax/directive.ts';

export interface ErrorPage {
  readonly directive: Directive;
  readonly statuses: readonly number[];
  /** Response status. `null` keeps the error status, and `'response'` uses the status of the page. */
  readonly status: number | 'response' | null;
  /** Path, URL or named location of the error page. */
  readonly to: string;
}

/** Returns the error pages that apply in a block, innermost block first. */
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
