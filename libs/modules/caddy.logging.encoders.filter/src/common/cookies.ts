/** Log field filters that apply actions to cookies by name. */
import { list, options, string, type Context, type Options } from '@sluice/registry';
import type { LogFieldFilter } from '@sluice/contracts';
import { compileAction, type Action } from './actions.ts';

export type CookieActions = ReadonlyMap<string, Action>;

export const cookieOptions = options({
  actions: list(
    'Actions on cookies. For each cookie, the first action with a matching `name` applies.',
    options({
      type: string('Type of the action: delete, replace or hash.'),
      name: string('Name of the cookie.'),
      value: string('New value of the cookie, for the `replace` action.'),
    }),
  ),
});

/** Returns a filter for a field that contains a list of lines. Other values are not changed. */
export function cookieFilter(
  config: Options<typeof cookieOptions>,
  context: Context,
  change: (lines: readonly unknown[], actions: CookieActions) => readonly unknown[],
): LogFieldFilter {
  const actions = compileActions(config, context);
  return {
    filter: (key, value) => (Array.isArray(value) ? { key, value: change(value, actions) } : { key, value }),
  };
}

function compileActions(config: Options<typeof cookieOptions>, context: Context): CookieActions {
  const actions = new Map<string, Action>();
  for (const [i, { type, name, value }] of (config.actions ?? []).entries()) {
    const action = compileAction(type, value, context, i);
    if (!actions.has(name ?? '')) actions.set(name ?? '', action);
  }
  return actions;
}
