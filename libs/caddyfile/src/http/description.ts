/**
 * Descriptions of directives, global options and module syntaxes. They are in separate files, loaded only to be shown: for the Caddyfile
 * reference, and for completion and hover in editors.
 */

/** Other block content besides the described options: `directives`, `matchers`, or the namespace of modules. */
export type BlockContent = 'directives' | 'matchers' | (string & {});

export interface OptionDescription {
  /** Syntax of the line. The first word is the option's name. `<x>` is a value, `[x]` is optional, `a|b` is a choice, and `…` repeats. */
  readonly syntax: string;
  /** One or two sentences in Markdown. */
  readonly summary: string;
  /** Namespace of the modules that its first value names, such as `http.reverse_proxy.transport`. */
  readonly module?: string;
  /** Directive that owns it, if another accepts it too. The reference describes it only there. */
  readonly of?: string;
  /** Options of a nested block. */
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
}

/** A directive, global option or syntax. */
export interface Description {
  /** One-line forms, in the notation of {@link OptionDescription.syntax}. `[<matcher>]` marks the place of a matcher. */
  readonly syntax: readonly [string, ...string[]];
  /** A few sentences in Markdown. The first is the most important. */
  readonly summary: string;
  /** Namespace of the modules that its first value names. */
  readonly module?: string;
  /** Options of the block. */
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
  /** Complete Caddyfile that shows its use. */
  readonly example: string;
}

/** Returns the name of an option: the first word of its syntax. */
export function optionName({ syntax }: OptionDescription): string {
  return /^\S+/.exec(syntax)?.[0] ?? '';
}
