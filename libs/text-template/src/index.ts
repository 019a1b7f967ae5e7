/** Go's text/template language: see README.md. */
export { Template, type ExecuteOptions, type TemplateOptions } from './template.ts';
export { isTemplateError, LimitError, TemplateError, type TemplateErrorCode, type TemplateLocation } from './errors.ts';
export { Budget, type Limits } from './run/limits.ts';
export type { MissingKey, TextWriter } from './run/execution.ts';
export type { Delimiters } from './parse/lexer.ts';
export {
  declare,
  declareRest,
  type FunctionLike,
  type Functions,
  type Implementation,
  type TemplateFunction,
} from './functions/declare.ts';
export * as parameters from './functions/parameters.ts';
export type { Parameter } from './functions/parameters.ts';
export { builtins } from './functions/builtins.ts';
export { escapeHtml, escapeJs, escapeQuery } from './functions/escape.ts';
export { sprintf } from './fmt/sprintf.ts';
export { sprint, sprintln } from './fmt/sprint.ts';
export { printValue } from './fmt/printer.ts';
export { float64, int, int64, TypedNumber, type Integer, type NumberKind } from './values/number.ts';
export { goType, kindOf, typedList, typedMap, typeOf, type GoMap, type Kind } from './values/kind.ts';
export { decodeText, encodeText } from './values/text.ts';
export { isTrue } from './values/truth.ts';
export { sprig } from './sprig/index.ts';
export { Instant } from './time/instant.ts';
export { parseLayout } from './time/parse-layout.ts';
export { fixedZone } from './time/zone.ts';
export { Duration } from './time/duration.ts';
