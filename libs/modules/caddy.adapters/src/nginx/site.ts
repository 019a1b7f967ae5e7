/** State of a `server` block during adaptation: its named routes and generated names. */
import type { Adaptation, DefinedVariable } from './adaptation.ts';
import { invoke, passing, plainError, setVariables, subroute, terminal, type Node } from './json.ts';
import type { Location } from './location-path.ts';
import { Scope } from './scope.ts';
import type { Directive } from './syntax/directive.ts';

/** Names of the request variables that the generated routes use. */
export const marks = {
  /** Variable for the current location, which determines the error pages and headers when an error occurs. */
  location: 'nginx.location',
  /** Variable that an internal redirect sets. Locations marked `internal` accept only requests with this variable. */
  internal: 'nginx.internal',
  /** Variable that is set after `rewrite … break`. If the variable is set, `proxy_pass` ignores the URI in its address. */
  rewritten: 'nginx.rewritten',
} as const;

/** Handler that resets the variables of a request that enters another location of the server. */
const enter = setVariables({ [marks.internal]: '1', [marks.rewritten]: '' });

/** Name of the regular expression that captures the cleaned path, for `$uri`. */
const cleanPath = 'nginx_uri';

/** Placeholder for the cleaned path. */
export const cleanUri = `{http.regexp.${cleanPath}.0}`;

/** A matcher set that always matches and captures the cleaned path. */
export const captureClean: Node = { path_regexp: { name: cleanPath, pattern: '(?s)^.*$' } };

/** A route that captures the cleaned path. */
export const captureRoute: Node = passing([], [captureClean]);

export interface SiteBlock {
  readonly directive: Directive;
  readonly http: Scope;
  readonly id: string;
}

/** Variables defined by `map`, `geo` and similar directives, by name without `$`. */
export type Definitions = Map<string, DefinedVariable<Site>>;

export class Site {
  readonly adaptation: Adaptation;
  readonly defined: Definitions;
  readonly directive: Directive;
  readonly scope: Scope;
  /** Name of the server's route, and prefix for the names of related routes. */
  readonly id: string;
  readonly namedRoutes = new Map<string, Node>();
  /** Error handlers with their locations. Locations with the same handlers share a route. */
  readonly #errors = new Map<string, { readonly handle: readonly Node[]; readonly places: string[] }>();
  readonly #failures: Node[] = [];
  readonly used = new Set<string>();
  /** Placeholders for named groups in regular expressions, by group name. */
  readonly groups = new Map<string, string>();
  tree: readonly Location[] = [];
  /** True if `$uri` is used in a place where the path must be cleaned. */
  usesUri = false;
  /** `map` handlers by input, with the placeholders for their results. */
  readonly #lookups = new Map<string, { readonly placeholder: string; readonly map: Node }>();
  #count = 0;

  constructor(adaptation: Adaptation, defined: Definitions, { directive, http, id }: SiteBlock) {
    this.defined = defined;
    this.adaptation = adaptation;
    this.directive = directive;
    this.scope = new Scope('server', directive.block ?? [], http);
    this.id = id;
  }

  /** Returns a name that is unique within this server. */
  unique(kind: string): string {
    this.#count++;
    return `${this.id}_${kind}${this.#count}`;
  }

  /** Name of the route that selects the location. */
  get locations(): string {
    return `${this.id}.locations`;
  }

  /** Returns the name of the route for a named location, such as `@fallback`. */
  named(name: string): string {
    return `${this.id}${name}`;
  }

  /** Returns handlers that select the location again after the path has changed, for example after `rewrite … last`. */
  again(): Node[] {
    return [enter, invoke(this.locations)];
  }

  /** Returns handlers that process the request again from the start of this server, like an internal redirect. */
  redirect(): Node[] {
    return [enter, invoke(this.id)];
  }

  /** Returns handlers that continue in a named location. */
  goto(name: string): Node[] {
    return [enter, invoke(this.named(name))];
  }

  /** Returns handlers that update `$uri` after the path has changed, without selecting the location again. */
  recapture(): Node[] {
    return this.adaptation.namesUri ? [subroute([captureRoute])] : [];
  }

  /** Sets the handlers for errors that occur in a server or location. */
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

  /** Name of the route that handles errors in error pages. */
  get failures(): string {
    return `${this.id}.failures`;
  }

  /** Sets the handlers for errors that occur in the error pages of a location. */
  onFailure(place: string, handle: readonly Node[]): void {
    if (handle.length > 0)
      this.#failures.push(terminal([...handle, plainError], [{ vars: { [marks.location]: [place] } }]));
  }

  /** Returns the route that handles errors in error pages. */
  failureRoute(): Node {
    return passing([subroute([...this.#failures, passing([plainError])])]);
  }

  /** Returns the placeholder for a variable, and marks the variable as used in this server. */
  use(name: string): string {
    this.used.add(name);
    return this.defined.get(name)?.placeholder ?? '';
  }

  /** Returns a placeholder for the result of a `map` handler. `map` is the handler without destinations. Identical maps share a placeholder. */
  lookUp(kind: string, map: Node): string {
    const key = JSON.stringify([kind, map]);
    const count = this.#lookups.size;
    const placeholder = this.#lookups.get(key)?.placeholder ?? `{nginx.${kind}${count === 0 ? '' : `.${count}`}}`;
    this.#lookups.set(key, { placeholder, map });
    return placeholder;
  }

  /** Returns the routes that define the variables used in this server. */
  definitions(): Node[] {
    const handlers: Node[] = [...this.#lookups.values()].map(({ placeholder, map }) => ({
      ...map,
      destinations: [placeholder],
    }));
    // Definitions may use other variables, so the set can grow during this iteration.
    for (const name of this.used) handlers.push(...(this.defined.get(name)?.handlers(this) ?? []));
    return handlers.length === 0 ? [] : [passing(handlers)];
  }
}
