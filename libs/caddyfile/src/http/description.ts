/**
 * Descriptions of directives, global options and module syntaxes, in separate files that are loaded only for display: in the Caddyfile
 * reference, and for completion and hover in editors.
 */

/** Block content in addition to the described options: `directives`, `matchers`, or the namespace of modules. */
export type BlockContent = 'directives' | 'matchers' | (string & {});

export interface OptionDescription {
  /** Syntax of the line. The first word is the option's name. `<x>` is a value, `[x]` is optional, `a|b` is a choice, and `…` repeats. */
  readonly syntax: string;
  /** One or two Markdown sentences. */
  readonly summary: string;
  /** Namespace of the modules that the first value names, such as `http.reverse_proxy.transport`. */
  readonly module?: string;
  /** Directive whose reference describes the option, if several directives accept it. */
  readonly of?: string;
  /** Options of a nested block. */
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
}

/** A directive, global option or syntax. */
export interface Description {
  /** One-line forms, in the notation of {@link OptionDescription.syntax}. `[<matcher>]` marks the matcher position. */
  readonly syntax: readonly [string, ...string[]];
  /** A few Markdown sentences, the most important first. */
  readonly summary: string;
  /** Namespace of the modules that its first value names. */
  readonly module?: string;
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
  readonly example: string;
}

/** Returns the option name, which is the first word of its syntax. */
export function optionName({ syntax }: OptionDescription): string {
  return /^\S+/.exec(syntax)?.[0] ?? '';
}
