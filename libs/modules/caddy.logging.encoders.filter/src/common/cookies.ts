/** Actions on cookies by name. */
import { list, options, string, type Context, type Options } from '@sluice/registry';
import { compileAction, type Action } from './actions.ts';

/** Options of filters of cookies. */
export const cookieOptions = options({
  actions: list(
    'Actions. The first for a name counts.',
    options({
      type: string('delete, replace or hash.'),
      name: string('Name of the cookie.'),
      value: string('New value, for replace.'),
    }),
  ),
});

/** Compiles actions, by the names of their cookies. */
export function compileCookieActions(config: Options<typeof cookieOptions>, context: Context): Map<string, Action> {
  const actions = new Map<string, Action>();
  for (const [i, { type, name, value }] of (config.actions ?? []).entries()) {
    const action = compileAction(type, value, context, i);
    if (!actions.has(name ?? '')) actions.set(name ?? '', action);
  }
  return actions;
}
