/** Translates a location: its script, access control, `try_files`, and content handler. */
import { accessRoutes, namedMethods } from '../access/access.ts';
import { staticRoutes } from '../files/static.ts';
import { tryFilesRoutes } from '../files/try-files.ts';
import { passing, invoke, setVariables, subroute, terminal, raise, type Node } from '../json.ts';
import { fastcgiRoutes } from '../proxy/fastcgi.ts';
import { proxyRoutes } from '../proxy/reverse-proxy.ts';
import { errorRoutes } from './error-routes.ts';
import { alwaysHandlers } from '../response/fields.ts';
import type { Scope } from '../scope.ts';
import { alwaysReturns, scriptRoutes } from '../script/script.ts';
import { marks, type Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';
import type { Location, LocationPath } from '../location-path.ts';

type Content = (site: Site, scope: Scope, path: LocationPath, directive: Directive) => readonly Node[];

/** Content handlers by directive. If a location has none of these directives, static files are served. */
const contents: ReadonlyMap<string, Content> = new Map<string, Content>([
  ['proxy_pass', proxyRoutes],
  ['grpc_pass', proxyRoutes],
  ['fastcgi_pass', fastcgiRoutes],
  ...['uwsgi_pass', 'scgi_pass', 'memcached_pass', 'stub_status', 'empty_gif', 'flv', 'mp4', 'perl', 'js_content'].map(
    (name): [string, Content] => [name, unavailable],
  ),
]);

const contentNames: ReadonlySet<string> = new Set(contents.keys());

export function locationHandlers(site: Site, { scope, path }: Location): Node[] {
  return placeHandlers(site, scope, path);
}

/** Returns the handlers of a location. For paths without a location, returns the handlers of the server itself. */
export function placeHandlers(site: Site, scope: Scope, path: LocationPath): Node[] {
  const place = new PlaceBuilder(site, scope, path);
  return [...place.marked(scope), subroute([...place.guards(), ...place.routes()])];
}

class PlaceBuilder {
  readonly #site: Site;
  readonly #scope: Scope;
  readonly #path: LocationPath;
  readonly #branches: { readonly scope: Scope; readonly variable: string }[] = [];
  /** Name of the route that contains the content handler. Set only if the script invokes this route. */
  #serving: string | null = null;
  #rewrites = false;

  constructor(site: Site, scope: Scope, path: LocationPath) {
    this.#site = site;
    this.#scope = scope;
    this.#path = path;
  }

  /** Returns handlers that record the current location, if error handling depends on it. */
  marked(scope: Scope): Node[] {
    const key = this.#site.unique('place');
    for (const handle of errorRoutes(this.#site, scope)) this.#site.onError(key, handle);
    this.#site.onFailure(key, alwaysHandlers(this.#site, scope));
    return [setVariables({ [marks.location]: key })];
  }

  guards(): Node[] {
    // A location nested in an internal location is also internal.
    const internal = this.#scope.find('internal') !== undefined;
    return internal ? [terminal([raise(404)], [{ not: [{ vars: { [marks.internal]: ['1'] } }] }])] : [];
  }

  routes(): Node[] {
    const script = this.#scope.kind === 'server' ? [] : this.#script();
    // If the script always returns a response, no content handler is needed, except when the script can end early.
    const limited = this.#scope.own('limit_except').length > 0;
    if (this.#serving === null && script.length > 0 && !limited && alwaysReturns(this.#scope)) return script;
    const serving = this.#serve();
    if (this.#serving === null) return [...script, ...serving];
    this.#site.namedRoutes.set(this.#serving, passing([subroute(serving)]));
    return [...script, passing([invoke(this.#serving)])];
  }

  #script(): Node[] {
    const site = this.#site;
    const captures = this.#scope.captures;
    const changed = site.unique('changed');
    const routes = scriptRoutes({
      site,
      scope: this.#scope,
      leave: () => [invoke((this.#serving ??= site.unique('serve')))],
      again: () => site.again(),
      branch: (scope) => this.#branch(scope),
      rewritten: () => {
        this.#rewrites = true;
        return [setVariables({ [changed]: '1' })];
      },
    });
    this.#scope.captures = captures;
    // After an internal redirect to an index file, the location can run a second time.
    if (this.#branches.length > 0)
      routes.unshift(passing([setVariables(Object.fromEntries(this.#branches.map(({ variable }) => [variable, ''])))]));
    const all = !this.#rewrites
      ? routes
      : [...routes, terminal([setVariables({ [changed]: '' }), ...site.again()], [{ vars: { [changed]: ['1'] } }])];
    const limited = this.#scope.own('limit_except').at(-1);
    return limited === undefined || all.length === 0
      ? all
      : [passing([subroute(all)], [{ method: namedMethods(limited) }])];
  }

  #branch(scope: Scope): string {
    const variable = this.#site.unique('if');
    this.#branches.push({ scope, variable });
    return variable;
  }

  /** Returns the content handlers. If several `if` blocks set a content handler, the last one applies. */
  #serve(): Node[] {
    const branches = this.#branches
      .toReversed()
      .map(({ scope, variable }) =>
        terminal([...this.marked(scope), subroute(this.#served(scope))], [{ vars: { [variable]: ['1'] } }]),
      );
    return [...branches, ...this.#served(this.#scope)];
  }

  #served(scope: Scope): Node[] {
    const directive = scope.content(contentNames);
    const content = directive === undefined ? undefined : contents.get(directive.name);
    const routes =
      directive === undefined || content === undefined
        ? staticRoutes(this.#site, scope)
        : content(this.#site, scope, this.#path, directive);
    return [...accessRoutes(this.#site, scope), ...tryFilesRoutes(this.#site, scope, routes)];
  }
}

function unavailable(site: Site, _scope: Scope, _path: LocationPath, directive: Directive): Node[] {
  site.adaptation.warn(directive, `${directive.name} is not supported: the location returns 501`);
  return [terminal([raise(501)])];
}
