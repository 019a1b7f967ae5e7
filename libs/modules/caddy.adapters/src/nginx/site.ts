/** A block `server` while it is adapted: its named routes, and the names that are given out in it. */
import type { Adaptation, DefinedVariable } from './adaptation.ts';
import { invoke, passing, plainError, setVariables, subroute, terminal, type Node } from './json.ts';
import type { Location } from './location-path.ts';
import { Scope } from './scope.ts';
import type { Directive } from './syntax/directive.ts';

/** Variables of a request that the adapted routes keep for themselves. */
export const marks = {
  /** Which location the request is in: its error pages and headers count when an error is raised. */
  location: 'nginx.location',
  /** Set once the request was redirected within the server, so that `internal` locations let it in. */
  internal: 'nginx.internal',
  /** Set after a `rewrite … break`: `proxy_pass` then ignores its URI. */
  rewritten: 'nginx.rewritten',
} as const;

/** What is known of a request that is sent on to another location of its server. */
const enter = setVariables({ [marks.internal]: '1', [marks.rewritten]: '' });

/** Name of the expression that takes the clean path, for `$uri`. */
const cleanPath = 'nginx_uri';

/** Placeholder of the clean path. */
export const cleanUri = `{http.regexp.${cleanPath}.0}`;

/** Matcher set that always matches, and captures the clean path. */
export const captureClean: Node = { path_regexp: { name: cleanPath, pattern: '(?s)^.*$' } };

/** Route that captures the clean path. */
export const captureRoute: Node = passing([], [captureClean]);

/** A block `server` in the block `http`, and the name that its route gets. */
export interface SiteBlock {
  readonly directive: Directive;
  readonly http: Scope;
  readonly id: string;
}

/** What `map`, `geo` and the like define, by name without `$`. */
export type Definitions = Map<string, DefinedVariable<Site>>;

/** One block `server`. */
export class Site {
  readonly adaptation: Adaptation;
  readonly defined: Definitions;
  readonly directive: Directive;
  readonly scope: Scope;
  /** Name of its route; those of its parts begin with it. */
  readonly id: string;
  readonly namedRoutes = new Map<string, Node>();
  /** What to do with errors, for `errors` of the servers that it is part of: places that do the same share a route. */
  readonly #errors = new Map<string, { readonly handle: readonly Node[]; readonly places: string[] }>();
  readonly #failures: Node[] = [];
  /** Variables of the configuration that it uses. */
  readonly used = new Set<string>();
  /** Named groups of regular expressions, and the placeholders that they are. */
  readonly groups = new Map<string, string>();
  /** Its locations. */
  tree: readonly Location[] = [];
  /** Whether `$uri` is used where the path must be clean. */
  usesUri = false;
  /** Handlers `map` that look a value up, by what they look up, with the placeholder of it. */
  readonly #lookups = new Map<string, { readonly placeholder: string; readonly map: Node }>();
  #count = 0;

  constructor(adaptation: Adaptation, defined: Definitions, { directive, http, id }: SiteBlock) {
    this.defined = defined;
    this.adaptation = adaptation;
    this.directive = directive;
    this.scope = new Scope('server', directive.block ?? [], http);
    this.id = id;
  }

  /** A name that nothing else in this server has. */
  unique(kind: string): string {
    this.#count++;
    return `${this.id}_${kind}${this.#count}`;
  }

  /** Name of the route that finds a location for the path. */
  get locations(): string {
    return `${this.id}.locations`;
  }

  /** Name of the route of a named location, such as `@fallback`. */
  named(name: string): string {
    return `${this.id}${name}`;
  }

  /** The handlers that go to the locations again after the path was changed; `rewrite … last` does so. */
  again(): Node[] {
    return [enter, invoke(this.locations)];
  }

  /** The handlers that begin in this server again, as an internal redirect does. */
  redirect(): Node[] {
    return [enter, invoke(this.id)];
  }

  /** The handlers that go to a named location. */
  goto(name: string): Node[] {
    return [enter, invoke(this.named(name))];
  }

  /** The handlers after which `$uri` is the path as it was changed, for what follows without a location being looked for. */
  recapture(): Node[] {
    return this.adaptation.namesUri ? [subroute([captureRoute])] : [];
  }

  /** Says what to do with errors that are raised in a place. */
  onError(place: string, handle: readonly Node[]): void {
    const key = JSON.stringify(handle);
    const known = this.#errors.get(key);
    if (known === undefined) this.#errors.set(key, { handle, places: [place] });
    else known.places.push(place);
  }

  /** The routes for errors. */
  errorRoutes(): Node[] {
    return [...this.#errors.values()].map(({ handle, places }) =>
      terminal(handle, [{ vars: { [marks.location]: places } }]),
    );
  }

  /** Name of the route for errors that are raised in the page of another error. */
  get failures(): string {
    return `${this.id}.failures`;
  }

  /** Says what the responses to errors in pages get in a place. */
  onFailure(place: string, handle: readonly Node[]): void {
    if (handle.length > 0)
      this.#failures.push(terminal([...handle, plainError], [{ vars: { [marks.location]: [place] } }]));
  }

  /** The route for errors in pages. */
  failureRoute(): Node {
    return passing([subroute([...this.#failures, passing([plainError])])]);
  }

  /** The placeholder of a variable of the configuration, which is defined for this server from now on. */
  use(name: string): string {
    this.used.add(name);
    return this.defined.get(name)?.placeholder ?? '';
  }

  /** A placeholder for what a handler `map` finds, which needs no destinations for that: the same for the same `map`. */
  lookUp(kind: string, map: Node): string {
    const key = JSON.stringify([kind, map]);
    const count = this.#lookups.size;
    const placeholder = this.#lookups.get(key)?.placeholder ?? `{nginx.${kind}${count === 0 ? '' : `.${count}`}}`;
    this.#lookups.set(key, { placeholder, map });
    return placeholder;
  }

  /** The routes that define what this server uses of the variables of the configuration. */
  definitions(): Node[] {
    const handlers: Node[] = [...this.#lookups.values()].map(({ placeholder, map }) => ({
      ...map,
      destinations: [placeholder],
    }));
    // A definition may use others, which are then used as well: the set grows while it is walked.
    for (const name of this.used) handlers.push(...(this.defined.get(name)?.handlers(this) ?? []));
    return handlers.length === 0 ? [] : [passing(handlers)];
  }
}
