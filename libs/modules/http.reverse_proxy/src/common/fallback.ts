/** The `fallback` option: a policy that selects an upstream when the main policy can't. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { inlineModule, type Context } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';

const random: JsonObject = Object.freeze({ policy: 'random' });

export const fallbackOption = inlineModule(
  'Selection policy to use if the request has no value to hash. Default: random.',
  selectionPolicies,
  'policy',
);

export function loadFallback(node: JsonObject | null | undefined, context: Context): Promise<SelectionPolicy> {
  return context.loadInline(selectionPolicies, node ?? random, 'policy', 'fallback');
}
