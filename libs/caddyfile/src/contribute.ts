/** Registers the directive names, which the server loads at startup. The parsers of the directives are loaded on demand. */
export * from './http/contributions.ts';
export type { BlockContent, Description, OptionDescription } from './http/description.ts';
export { contributeCore } from './core-contributions.ts';
export type * from './inverse/written.ts';
export {
  contributeHandlers,
  contributeOptions,
  contributeSyntaxes,
  syntaxesOf,
  type HandlerDirective,
} from './grammar/contribute.ts';
export type { HandlerSyntax, Syntax } from './grammar/grammar.ts';
