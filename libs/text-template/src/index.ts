/** An implementation of Go's text/template language; see README.md. */
export { TextTemplate } from './template.ts';
export { isTemplateError, TemplateError } from './errors.ts';
export { Budget, type Limits } from './run/limits.ts';
export type { Delimiters } from './parse/lexer.ts';
export { declare, declareRest, type Functions, type Implementation } from './functions/declare.ts';
export * as parameters from './functions/parameters.ts';
export { sprintf } from './fmt/sprintf.ts';
export { sprint, sprintln } from './fmt/sprint.ts';
export { printValue } from './fmt/printer.ts';
export { float64, int64, TypedNumber, type Integer } from './values/number.ts';
export { goType, reflectKind, typedList, typedMap, typeOf } from './values/kind.ts';
export { decodeText, encodeText } from './values/text.ts';
export { isTrue } from './values/truth.ts';
export { sprig } from './sprig/index.ts';
export { slowFunctions } from './sprig/slow.ts';
export { Instant } from './time/instant.ts';
export { parseLayout } from './time/parse-layout.ts';
export { fixedZone } from './time/zone.ts';
