/** A `server` block being adapted: its named routes and generated names. */
import type { Adaptation, DefinedVariable } from './adaptation.ts';
import { invoke, passing, plainError, setVariables, subroute, terminal, type Node } from './json.ts';
import type { Location } from './location-path.ts';
import { Scope } from './scope.ts';
import type { Directive } from './syntax/directive.ts';

/** Names of request variables in the generated routes. */
export const marks = {
  /** Current location, which determines error pages and headers when an error is raised. */
  location: 'nginx.location',
  /** Variable that an internal redirect sets, so that `internal` locations accept the request. */
  internal: 'nginx.internal',
  /** Set after `rewrite … break`, so that `proxy_pass` ignores its URI. */
  rewritten: 'nginx.rewritten',
} as const;

/** Sets the state of a request that enters another location of its server. */
const enter = setVariables({ [marks.internal]: '1', [marks.rewritten]: '' });

/** Name of the expression that captures the cleaned path, for `$uri`. */
const cleanPath = 'nginx_uri';

/** Placeholder of the cleaned path. */
export const cleanUri = `{http.regexp.${cleanPath}.0}`;

/** Matcher set that always matches and captures the cleaned path. */
export const captureClean: Node = { path_regexp: { name: cleanPath, pattern: '(?s)^.*$' } };

/** Route that captures the cleaned path. */
export const captureRoute: Node = passing([], [captureClean]);

export interface SiteBlock {
  readonly directive: Directive;
  readonly http: Scope;
  readonly id: string;
}

/** Variables defined by `map`, `geo` and so on, by name without `$`. */
export type Definitions = Map<string, DefinedVariable<Site>>;

export class Site {
  readonly adaptation: Adaptation;
  readonly defined: Definitions;
  readonly directive: Directive;
  readonly scope: Scope;
  /** Route name, and prefix for names of its parts. */
  readonly id: string;
  readonly namedRoutes = new Map<string, Node>();
  /** Error handlers by place. Places with the same handlers share a route. */
  readonly #errors = new Map<string, { readonly handle: readonly Node[]; readonly places: string[] }>();
  readonly #failures: Node[] = [];
  readonly used = new Set<string>();
  /** Placeholders of named regular expression groups. */
  readonly groups = new Map<string, string>();
  tree: readonly Location[] = [];
  /** True if `$uri` is used where the path must be clean. */
  usesUri = false;
  /** `map` handlers by input, and the placeholders of their results. */
  readonly #lookups = new Map<string, { readonly placeholder: string; readonly map: Node }>();
  #count = 0;

  constructor(adaptation: Adaptation, defined: Definitions, { directive, http, id }: SiteBlock) {
    this.defined = defined;
    this.adaptation = adaptation;
    this.directive = directive;
    this.scope = new Scope('server', directive.block ?? [], http);
    this.id = id;
  }

  /** Returns a unique name within this server. */
  unique(kind: string): string {
    this.#count++;
    return `${this.id}_${kind}${this.#count}`;
  }

  /** Name of the route that selects a location. */
  get locations(): string {
    return `${this.id}.locations`;
  }

  /** Returns the route name of a named location, such as `@fallback`. */
  named(name: string): string {
    return `${this.id}${name}`;
  }

  /** Returns handlers that select the location again after the path changed, as for `rewrite … last`. */
  again(): Node[] {
    return [enter, invoke(this.locations)];
  }

  /** Returns handlers that start over in this server, like an internal redirect. */
  redirect(): Node[] {
    return [enter, invoke(this.id)];
  }

  /** Returns handlers that go to a named location. */
  goto(name: string): Node[] {
    return [enter, invoke(this.named(name))];
  }

  /** Returns handlers that update `$uri` after the path changed, without selecting a location. */
  recapture(): Node[] {
    return this.adaptation.namesUri ? [subroute([captureRoute])] : [];
  }

  /** Sets how errors raised in a server or location are handled. */
  onError(place: string, handle: readonly Node[]): void {
    const key = JSON.stringify(handle);
    const known = this.#errors.get(key);
    if (known === undefined) this.#errors.set(key, { handle, places: [place] });
    else known.places.push(place);
  }

  errorRoutes(): Node[] {
    return [...this.#errors.values()].map(({ handle, places }) =>
      terminal(handle, [{ vars: { [marks.location]: places } }]),
    );
  }

  /** Name of the route for errors raised in an error page. */
  get failures(): string {
    return `${this.id}.failures`;
  }

  /** Sets the error handling for error pages of a location. */
  onFailure(place: string, handle: readonly Node[]): void {
    if (handle.length > 0)
      this.#failures.push(terminal([...handle, plainError], [{ vars: { [marks.location]: [place] } }]));
  }

  /** Returns the route for errors in error pages. */
  failureRoute(): Node {
    return passing([subroute([...this.#failures, passing([plainError])])]);
  }

  /** Returns the placeholder of a variable, and defines the variable for this server. */
  use(name: string): string {
    this.used.add(name);
    return this.defined.get(name)?.placeholder ?? '';
  }

  /** Returns a placeholder for the result of a `map` handler without destinations. Equal maps share a placeholder. */
  lookUp(kind: string, map: Node): string {
    const key = JSON.stringify([kind, map]);
    const count = this.#lookups.size;
    const placeholder = this.#lookups.get(key)?.placeholder ?? `{nginx.${kind}${count === 0 ? '' : `.${count}`}}`;
    this.#lookups.set(key, { placeholder, map });
    return placeholder;
  }

  /** Returns the routes that define the used variables. */
  definitions(): Node[] {
    const handlers: Node[] = [...this.#lookups.values()].map(({ placeholder, map }) => ({
      ...map,
      destinations: [placeholder],
    }));
    // Definitions may use other variables, so the set grows during the iteration.
    for (const name of this.used) handlers.push(...(this.defined.get(name)?.handlers(this) ?? []));
    return handlers.length === 0 ? [] : [passing(handlers)];
  }
}
