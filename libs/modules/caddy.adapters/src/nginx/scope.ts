/** An nginx block and the blocks around it. Implements nginx's inheritance of directives. */
import type { LocationPath } from './paths.ts';
import type { Directive } from './syntax/directive.ts';

/** Types of blocks that inherit directives from outer blocks. */
export type ScopeKind = 'http' | 'server' | 'location' | 'if' | 'limit_except';

/**
 * An nginx block. Directives that it does not contain are inherited. A repeatable directive such as `add_header` is inherited only if the
 * block contains no directive of this name.
 */
export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  readonly directives: readonly Directive[];
  /** Name of the regular expression that `$1` refers to, or `null` if there is none. */
  captures: string | null;
  /** Path of a location, or `null` for other blocks. */
  path: LocationPath | null = null;
  readonly #byName: ReadonlyMap<string, Directive[]>;

  constructor(kind: ScopeKind, directives: readonly Directive[], parent: Scope | null) {
    this.kind = kind;
    this.directives = directives;
    this.parent = parent;
    this.#byName = Map.groupBy(directives, ({ name }) => name);
    this.captures = parent?.captures ?? null;
  }

  /** Returns the directives with this name in this block, without inherited ones. */
  own(name: string): readonly Directive[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns the directives with this name from the innermost block that contains any. */
  all(name: string): readonly Directive[] {
    const own = this.own(name);
    return own.length > 0 || this.parent === null ? own : this.parent.all(name);
  }

  /** Returns the directive with this name that applies in this block, if there is one. */
  find(name: string): Directive | undefined {
    return this.all(name).at(-1);
  }

  /** Returns the first argument of the directive that applies in this block, or `undefined`. */
  value(name: string): string | undefined {
    return this.find(name)?.args[0];
  }

  /**
   * Returns the content handler directive, if its name is in `names`. `if` and `limit_except` blocks inherit the directive, because they
   * are part of the location. Nested locations do not.
   */
  content(names: ReadonlySet<string>): Directive | undefined {
    const own = this.directives.findLast(({ name }) => names.has(name));
    if (own !== undefined || this.kind === 'location' || this.kind === 'server') return own;
    return this.parent?.content(names);
  }

  /** The enclosing location, or the server if there is none. */
  get place(): Scope {
    return (this.kind === 'if' || this.kind === 'limit_except') && this.parent !== null ? this.parent.place : this;
  }

  /** The `alias` directive that applies, and the path of the location that contains the directive. The directive can be inherited. */
  get alias(): { readonly directive: Directive; readonly path: LocationPath } | null {
    const { directives, kind, parent, path } = this.place;
    const own = directives.findLast(({ name }) => name === 'alias' || name === 'root');
    if (own !== undefined) return own.name === 'alias' && path !== null ? { directive: own, path } : null;
    return kind === 'location' && parent !== null ? parent.alias : null;
  }

  /** The enclosing `server` block. */
  get server(): Scope {
    return this.kind === 'server' || this.parent === null ? this : this.parent.server;
  }
}
