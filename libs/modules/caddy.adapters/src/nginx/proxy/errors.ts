/** Translates `proxy_intercept_errors` and `fastcgi_intercept_errors`, which serve `error_page` pages for upstream errors. */
import { passing, raise, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import { isOn } from '../syntax/directive.ts';
import { errorPages } from '../response/error-page.ts';

/** Returns the proxy option `handle_response`. It raises an error for each response status that has an error page. */
export function interceptedErrors(scope: Scope, kind: string): Node[] | undefined {
  if (!isOn(scope.find(`${kind}_intercept_errors`))) return undefined;
  const statuses = errorPages(scope).flatMap((page) => page.statuses);
  if (statuses.length === 0) return undefined;
  return [{ match: { status_code: statuses }, routes: [passing([raise('{http.reverse_proxy.status_code}')])] }];
}
