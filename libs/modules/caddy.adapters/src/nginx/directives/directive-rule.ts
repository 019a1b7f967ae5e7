/** What is known of a directive beside how it is translated. */

/** A directive: where it may stand, and what is lost if it has no counterpart. */
export interface DirectiveRule {
  /** The blocks that it may stand in. */
  readonly in: readonly string[];
  /** What having no counterpart means for who uses it; `undefined` for a directive that is translated. */
  readonly consequence?: string;
  /** What stands in its block is its own business, and no directives. */
  readonly opaque?: boolean;
}

/** Rules by the name of the directive. */
export type DirectiveRules = Readonly<Record<string, DirectiveRule>>;

/** The same rule for several names. */
export function rules(names: string, rule: DirectiveRule): DirectiveRules {
  return Object.fromEntries(
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, rule]),
  );
}

/** Where most directives may stand. */
export const everywhere: readonly string[] = ['http', 'server', 'location', 'if', 'limit_except'];
