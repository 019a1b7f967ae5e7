/** A block and its enclosing blocks, with nginx's inheritance rules. */
import type { LocationPath } from './paths.ts';
import type { Directive } from './syntax/directive.ts';

/** Blocks of `http` that inherit from each other. */
export type ScopeKind = 'http' | 'server' | 'location' | 'if' | 'limit_except';

/**
 * A block. Missing directives are inherited. A repeatable directive such as `add_header` is inherited only if the block does not contain
 * it.
 */
export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  readonly directives: readonly Directive[];
  /** Name of the regular expression that `$1` refers to; `null` if none. */
  captures: string | null;
  /** Paths of a location; `null` for other blocks. */
  path: LocationPath | null = null;
  readonly #byName: ReadonlyMap<string, Directive[]>;

  constructor(kind: ScopeKind, directives: readonly Directive[], parent: Scope | null) {
    this.kind = kind;
    this.directives = directives;
    this.parent = parent;
    this.#byName = Map.groupBy(directives, ({ name }) => name);
    this.captures = parent?.captures ?? null;
  }

  /** Returns the directives with this name in the block itself. */
  own(name: string): readonly Directive[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns the directives with this name in the innermost block that has any. */
  all(name: string): readonly Directive[] {
    const own = this.own(name);
    return own.length > 0 || this.parent === null ? own : this.parent.all(name);
  }

  /** Returns the applicable directive with this name, if any. */
  find(name: string): Directive | undefined {
    return this.all(name).at(-1);
  }

  /** Returns the first argument of the applicable directive, or `undefined`. */
  value(name: string): string | undefined {
    return this.find(name)?.args[0];
  }

  /**
   * Returns the content handler directive with one of these names. Nested locations don't inherit it, but `if` and
   * `limit_except` do, because they are part of the location.
   */
  content(names: ReadonlySet<string>): Directive | undefined {
    const own = this.directives.findLast(({ name }) => names.has(name));
    if (own !== undefined || this.kind === 'location' || this.kind === 'server') return own;
    return this.parent?.content(names);
  }

  /** Returns the enclosing location or server. */
  get place(): Scope {
    return (this.kind === 'if' || this.kind === 'limit_except') && this.parent !== null ? this.parent.place : this;
  }

  /** Returns the applicable `alias`, which may be inherited, and the paths of its location. */
  get alias(): { readonly directive: Directive; readonly path: LocationPath } | null {
    const { directives, kind, parent, path } = this.place;
    const own = directives.findLast(({ name }) => name === 'alias' || name === 'root');
    if (own !== undefined) return own.name === 'alias' && path !== null ? { directive: own, path } : null;
    return kind === 'location' && parent !== null ? parent.alias : null;
  }

  /** Returns the enclosing `server` block. */
  get server(): Scope {
    return this.kind === 'server' || this.parent === null ? this : this.parent.server;
  }
}
