/** Caddyfile API for adapters, directives, and tools. */
export { adaptCaddyfile } from './adapt.ts';
export {
  type Directive,
  type DirectiveContribution,
  type FinishConfig,
  type GlobalOption,
  type ModuleSyntax,
  directives,
  globalOptions,
  moduleSyntaxes,
} from './http/contributions.ts';
export * from './http/description.ts';
export { Dispenser } from './dispenser/dispenser.ts';
export { CaddyfileError, isCaddyfileError, type Position } from './errors.ts';
export { diffLines } from './format/diff.ts';
export { formatCaddyfile } from './format/format.ts';
export { asJson, compact, dictionary, moduleObject } from './json.ts';
export { replaceEnvironment } from './lexer/environment.ts';
export { locateTokens, tokenize, type LocatedToken } from './lexer/lexer.ts';
export { nearest } from './nearest.ts';
export { startsLine, CaddyfileToken } from './token.ts';
export { findFiles } from './parser/files.ts';
export { parseCaddyfile } from './parser/parser.ts';
export type { ParsedFile } from './parser/site.ts';
export type { ConfigValue, MatcherSetConfig, RouteConfig } from './http/config-value.ts';
export { DirectiveReader } from './http/directive-reader.ts';
export { GlobalOptions } from './http/global-options.ts';
export type { Binding } from './http/listeners.ts';
export { accessLog, isOfSite } from './http/inverse-log.ts';
export { logLines, readLog, siteLogOptions } from './core/log-syntax.ts';
export { readMatchers } from './http/matcher-definitions.ts';
export { expandRanges } from './http/private-ranges.ts';
export { invokedRoutes } from './http/named-routes.ts';
export type { DirectiveOrder } from './http/order-hint.ts';
export { ResponseHandlers } from './grammar/response-handlers.ts';
export { scalarValue, weakField } from './scalars.ts';
export type { ServersBlock } from './http/server-options.ts';
export type { Site } from './http/site.ts';
export { placeholderShorthands } from './http/shorthands.ts';
export { subrouteHandler } from './http/subroute.ts';
export { issuersFor } from './http/tls-issuers.ts';
export { tlsPiles, type CertificateLoaderConfig, type IssuerConfig } from './http/tls-values.ts';
export { readDuration, readInteger, readSize } from './http/values.ts';
export { convertDocument } from './convert/convert.ts';
export { responseMatcherLine } from './grammar/response-matchers.ts';
export * from './inverse/json-parts.ts';
export { quoteWord, scalarWord } from './inverse/quotes.ts';
export { type ModuleOption, durationWord, keyedLines, moduleLines, words, written } from './inverse/values.ts';
export type {
  Line,
  Doubt,
  Written,
  WrittenSequence,
  Writer,
  WrittenSite,
  WriteDirective,
  WriteSequence,
  WriteSite,
  WriteGlobalOption,
} from './inverse/written.ts';
export * from './grammar/index.ts';
