/**
 * Expands placeholders in options that must not be incomplete, such as addresses and secrets.
 *
 * Ignoring a misspelled placeholder could result in a different address, such as all interfaces.
 */
import { valueError } from '../values/value-error.ts';
import { resolveGlobal } from './global.ts';
import { compileTemplate, formatValue, type Resolver } from './template.ts';

/** Replaces global placeholders. Throws if a placeholder is unknown or its value is empty. */
export function expandRequired(text: string): string {
  return compileTemplate<null>(text, resolveRequired, 'keep').expand(null);
}

export interface ErrorPlace {
  error(message: string, ...at: (string | number)[]): Error;
}

/** Expands placeholders in an option value. Error messages contain the option path `at`. */
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
