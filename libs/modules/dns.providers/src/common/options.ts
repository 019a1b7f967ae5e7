/** Reads option values that contain placeholders. */
import { requiredText } from '@sluice/base';
import type { Context } from '@sluice/registry';

/** Returns an option value with its placeholders expanded. Rejects empty values and unknown placeholders. */
export function requiredOption(value: string | null | undefined, context: Context, ...at: string[]): string {
  const text = optionalOption(value, context, ...at);
  if (text === '') throw context.error('is required', ...at);
  return text;
}

/** Like {@link requiredOption}, but for an optional value. Returns an empty string if the option is not set. */
export function optionalOption(value: string | null | undefined, context: Context, ...at: string[]): string {
  return requiredText(value, context, ...at).trim();
}
