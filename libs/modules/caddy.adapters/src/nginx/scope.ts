/** A block with those around it: what a directive is worth there. */
import type { LocationPath } from './paths.ts';
import type { Directive } from './syntax/directive.ts';

/** The blocks of `http` that inherit from each other. */
export type ScopeKind = 'http' | 'server' | 'location' | 'if' | 'limit_except';

/**
 * One block. What it does not say is inherited from the block around it, and a directive that may stand several times
 * (`add_header`) is inherited only where the block has none of its name: that is how nginx does it.
 */
export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  readonly directives: readonly Directive[];
  /** Name of the regular expression whose captures `$1` means here; `null` for none. */
  captures: string | null;
  /** The paths of the location that the block is; `null` for others. */
  path: LocationPath | null = null;
  readonly #byName: ReadonlyMap<string, Directive[]>;

  constructor(kind: ScopeKind, directives: readonly Directive[], parent: Scope | null) {
    this.kind = kind;
    this.directives = directives;
    this.parent = parent;
    this.#byName = Map.groupBy(directives, ({ name }) => name);
    this.captures = parent?.captures ?? null;
  }

  /** The directives of a name that stand in this block itself. */
  own(name: string): readonly Directive[] {
    return this.#byName.get(name) ?? [];
  }

  /** The directives of a name of the innermost block that has any. */
  all(name: string): readonly Directive[] {
    const own = this.own(name);
    return own.length > 0 || this.parent === null ? own : this.parent.all(name);
  }

  /** The one directive of a name that counts, if there is any. */
  find(name: string): Directive | undefined {
    return this.all(name).at(-1);
  }

  /** The first argument of the directive that counts, or `undefined`. */
  value(name: string): string | undefined {
    return this.find(name)?.args[0];
  }

  /**
   * The directive of one of these names that says what a location is served by. It is not inherited into nested
   * locations, but into an `if` and `limit_except`, which are the same location.
   */
  content(names: ReadonlySet<string>): Directive | undefined {
    const own = this.directives.findLast(({ name }) => names.has(name));
    if (own !== undefined || this.kind === 'location' || this.kind === 'server') return own;
    return this.parent?.content(names);
  }

  /** The location, or server, that this block belongs to. */
  get place(): Scope {
    return (this.kind === 'if' || this.kind === 'limit_except') && this.parent !== null ? this.parent.place : this;
  }

  /** The `alias` that counts here, which a location may inherit, with the paths of the location that has it. */
  get alias(): { readonly directive: Directive; readonly path: LocationPath } | null {
    const { directives, kind, parent, path } = this.place;
    const own = directives.findLast(({ name }) => name === 'alias' || name === 'root');
    if (own !== undefined) return own.name === 'alias' && path !== null ? { directive: own, path } : null;
    return kind === 'location' && parent !== null ? parent.alias : null;
  }

  /** The block `server` around this one. */
  get server(): Scope {
    return this.kind === 'server' || this.parent === null ? this : this.parent.server;
  }
}
