/** Properties of directives other than their translation. */

export interface DirectiveRule {
  /** Blocks in which the directive is allowed. */
  readonly in: readonly string[];
  /** Effect of not supporting the directive; `undefined` if it is translated. */
  readonly consequence?: string;
  /** True if the block contains no directives to check. */
  readonly opaque?: boolean;
}

export type DirectiveRules = Readonly<Record<string, DirectiveRule>>;

/** Returns the same rule for several names. */
export function rules(names: string, rule: DirectiveRule): DirectiveRules {
  return Object.fromEntries(
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, rule]),
  );
}

/** Blocks in which most directives are allowed. */
export const everywhere: readonly string[] = ['http', 'server', 'location', 'if', 'limit_except'];
