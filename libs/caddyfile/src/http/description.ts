/**
 * What a directive, a global option or the syntax of a module says of itself. Written beside its code, in a file of its own
 * that is loaded by those who show it: the reference of the Caddyfile, completion and hover of editors.
 */

/** What a block holds beside the options that are described: `directives`, `matchers`, or modules of a namespace. */
export type BlockContent = 'directives' | 'matchers' | (string & {});

/** A line within a block. */
export interface OptionDescription {
  /**
   * The line as it may be written. Its first word is the name of the option. `<x>` stands for a value, `[x]` may be left
   * out, `a|b` is a choice, `…` goes on in the same way.
   */
  readonly syntax: string;
  /** One or two sentences in Markdown. */
  readonly summary: string;
  /** Namespace of the modules that its first value names, such as `http.reverse_proxy.transport`. */
  readonly module?: string;
  /** The directive that it belongs to, if another accepts it too: the reference describes it only there. */
  readonly of?: string;
  /** Lines of its own block. */
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
}

/** A directive, global option or syntax. */
export interface Description {
  /** Its forms on one line, in the notation of {@link OptionDescription.syntax}. `[<matcher>]` stands where a matcher may. */
  readonly syntax: readonly [string, ...string[]];
  /** What it does: a few sentences in Markdown, of which the first says the most. */
  readonly summary: string;
  /** Namespace of the modules that its first value names. */
  readonly module?: string;
  /** Lines of its block. */
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
  /** A whole Caddyfile that shows its use. */
  readonly example: string;
}

/** The name of an option: the first word of its syntax. */
export function optionName({ syntax }: OptionDescription): string {
  return /^\S+/.exec(syntax)?.[0] ?? '';
}
