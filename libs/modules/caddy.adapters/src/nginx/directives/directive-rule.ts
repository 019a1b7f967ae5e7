/** Properties of nginx directives that do not concern their translation. */

export interface DirectiveRule {
  /** Types of blocks that can contain the directive. */
  readonly in: readonly string[];
  /** Consequence of not supporting the directive, for the warning. `undefined` if the directive is supported. */
  readonly consequence?: string;
  /** True if the contents of the directive's block are not checked. */
  readonly opaque?: boolean;
}

export type DirectiveRules = Readonly<Record<string, DirectiveRule>>;

/** Creates an identical rule for each of several directive names. */
export function rules(names: string, rule: DirectiveRule): DirectiveRules {
  return Object.fromEntries(
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, rule]),
  );
}

/** Types of blocks in which most directives are allowed. */
export const everywhere: readonly string[] = ['http', 'server', 'location', 'if', 'limit_except'];
