/**
 * Options that must not lose a part: where something listens or writes to, whom it asks, its secrets. What a misspelt
 * placeholder leaves there would be another address, such as all interfaces in place of one.
 */
import { valueError } from '../values/value-error.ts';
import { resolveGlobal } from './global.ts';
import { compileTemplate, formatValue, type Resolver } from './template.ts';

/** Replaces global placeholders; one that is not known, or has no value, is an error. */
export function expandRequired(text: string): string {
  return compileTemplate<null>(text, resolveRequired, 'keep').expand(null);
}

/** What makes an error at a place of the configuration, such as the context of a provision. */
export interface ErrorPlace {
  error(message: string, ...at: (string | number)[]): Error;
}

/** The same for an option; `at` leads to it. */
export function requiredText(text: string | null | undefined, context: ErrorPlace, ...at: (string | number)[]): string {
  try {
    return expandRequired(text ?? '');
  } catch (error) {
    throw context.error((error as Error).message, ...at);
  }
}

const resolveRequired: Resolver<null> = (name) => {
  const read = resolveGlobal(name);
  if (read === null) throw valueError(`unknown placeholder {${name}}; write \\{ for a literal brace`);
  const value = read(null);
  if (formatValue(value) === '') throw valueError(`the placeholder {${name}} is empty`);
  return () => value;
};
