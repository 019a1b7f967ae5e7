/** Caddyfile grammar API that modules import. */
export {
  alias,
  block,
  blockLines,
  entries,
  fields,
  group,
  matcherSets,
  moduleBlock,
  module,
  modules,
  objectsIn,
  pair,
  readBlock,
  readModule,
} from './blocks.ts';
export { preferredChains } from './preferred-chains.ts';
export { Draft } from './draft.ts';
export {
  handler,
  named,
  readFields,
  readInto,
  setFields,
  syntax,
  writeFields,
  type Grammar,
  type HandlerGrammar,
  type HandlerSyntax,
  type Syntax,
} from './grammar.ts';
export { option, type OptionGrammar, type OptionSyntax } from './option.ts';
export { responseHandlers, responseMatch, responseMatchers, responseOptions } from './responses.ts';
export { note, optionsOf, term, type Block, type Term, type TermOptions } from './term.ts';
export {
  duration,
  flag,
  ignored,
  integer,
  list,
  none,
  oneOf,
  present,
  size,
  text,
  toggle,
  weak,
  word,
  type ListOptions,
  type WordOptions,
} from './values.ts';
