/**
 * Descriptions of directives, global options, and module syntaxes. They are in separate files that are loaded only for display, in the
 * Caddyfile reference and in editors.
 */

/** Content of a block in addition to the described options: `directives`, `matchers`, or the namespace of modules. */
export type BlockContent = 'directives' | 'matchers' | (string & {});

export interface OptionDescription {
  /** Syntax of the line, starting with the option name. `<x>` is a value, `[x]` is optional, `a|b` is a choice, and `…` marks repetition. */
  readonly syntax: string;
  /** Summary in one or two Markdown sentences. */
  readonly summary: string;
  /** Namespace of the modules whose names are allowed as the first value, such as `http.reverse_proxy.transport`. */
  readonly module?: string;
  /** Directive whose reference page describes the option, if several directives accept it. */
  readonly of?: string;
  /** Options of a nested block. */
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
}

/** Description of a directive, global option, or module syntax. */
export interface Description {
  /** Syntax forms, each on one line, in the notation of {@link OptionDescription.syntax}. `[<matcher>]` marks the position of the matcher. */
  readonly syntax: readonly [string, ...string[]];
  /** Summary in a few Markdown sentences, with the most important sentence first. */
  readonly summary: string;
  /** Namespace of the modules whose names are allowed as the first value. */
  readonly module?: string;
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
  readonly example: string;
}

/** Returns the option name, which is the first word of the option's syntax. */
export function optionName({ syntax }: OptionDescription): string {
  return /^\S+/.exec(syntax)?.[0] ?? '';
}
