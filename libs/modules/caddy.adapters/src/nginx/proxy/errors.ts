/** `proxy_intercept_errors` and `fastcgi_intercept_errors`: serves `error_page` pages for upstream errors. */
import { passing, raise, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import { isOn } from '../syntax/directive.ts';
import { errorPages } from '../response/error-page.ts';

/** Returns `handle_response` of a proxy, which raises statuses with an error page as errors. */
export function interceptedErrors(scope: Scope, kind: string): Node[] | undefined {
  if (!isOn(scope.find(`${kind}_intercept_errors`))) return undefined;
  const statuses = errorPages(scope).flatMap((page) => page.statuses);
  if (statuses.length === 0) return undefined;
  return [{ match: { status_code: statuses }, routes: [passing([raise('{http.reverse_proxy.status_code}')])] }];
}
