/** Translates nginx access control: address rules, passwords and subrequests. */
import { passing, raise, subroute, terminal, type Node } from '../json.ts';
import { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';
import { problemAt } from '../problem.ts';
import { escapeBraces } from '../text/expand.ts';
import { authRequestHandlers } from './auth-request.ts';
import { basicProvider } from './password-file.ts';
import { setsOf } from './rules.ts';

const accessNames: ReadonlySet<string> = new Set(['allow', 'deny', 'satisfy', 'auth_basic', 'auth_basic_user_file']);

/** Returns routes that perform the access checks for a request. */
export function accessRoutes(site: Site, scope: Scope): Node[] {
  const denied = setsOf(site, scope, 'deny');
  const basic = basicHandlers(site, scope);
  const service = authRequestHandlers(site, scope);
  const asks = [...basic, ...service];
  const limited = methodRoutes(site, scope);
  // If `satisfy any` is set, a client with an allowed address needs no password. All other clients need one.
  if (scope.value('satisfy') === 'any' && asks.length > 0) {
    if (basic.length > 0 && service.length > 0)
      site.adaptation.warn(
        scope.find('satisfy') ?? site.directive,
        'satisfy any with both auth_basic and auth_request is not supported; clients must pass both',
      );
    const allowed = setsOf(site, scope, 'allow');
    return [...limited, passing(asks, allowed.length === 0 ? [] : [{ not: allowed }])];
  }
  return [
    ...limited,
    ...(denied.length === 0 ? [] : [terminal([raise(403)], denied)]),
    ...(asks.length === 0 ? [] : [passing(asks)]),
  ];
}

function basicHandlers(site: Site, scope: Scope): Node[] {
  const directive = scope.find('auth_basic');
  const realm = directive?.args[0] ?? 'off';
  if (directive === undefined || realm === 'off') return [];
  const file = scope.find('auth_basic_user_file');
  if (file === undefined) throw problemAt(directive, 'auth_basic requires auth_basic_user_file');
  const provider = {
    ...basicProvider(site, file, site.adaptation.path(file.args[0] ?? '')),
    realm: escapeBraces(realm),
    hash_cache: {},
  };
  return [{ handler: 'authentication', providers: { http_basic: provider } }];
}

/** Returns the methods listed in `limit_except`. The `limit_except` block handles all other methods, without the location's script. */
export function namedMethods(directive: Directive): string[] {
  const methods = directive.args.map((method) => method.toUpperCase());
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** Returns the routes for `limit_except`. The block of `limit_except` applies to all methods that are not listed. */
function methodRoutes(site: Site, scope: Scope): Node[] {
  return scope.own('limit_except').map((directive) => {
    const methods = namedMethods(directive);
    const inner = new Scope('limit_except', directive.block ?? [], scope);
    for (const other of inner.directives)
      if (!accessNames.has(other.name))
        site.adaptation.warn(
          other,
          `${other.name} in limit_except is not supported; only access rules are allowed there`,
        );
    return passing([subroute(accessRoutes(site, inner))], [{ not: [{ method: methods }] }]);
  });
}
