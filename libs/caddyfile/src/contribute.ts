/** The part of this package that the server loads at startup: which directives exist, but not how they are parsed. */
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
