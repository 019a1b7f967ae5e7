/** Actions on cookies by name. */
import { list, options, string, type Context, type Options } from '@sluice/registry';
import { compileAction } from './actions.ts';

/** Options of filters of cookies. */
export const cookieOptions = options({
  actions: list(
    'Actions, in order.',
    options({
      type: string('delete, replace or hash.'),
      name: string('Name of the cookie.'),
      value: string('New value, for replace.'),
    }),
  ),
});

/** Compiles actions on one `name=value` pair; `null` drops it. */
export function compileCookieActions(
  config: Options<typeof cookieOptions>,
  context: Context,
): (pair: string) => string | null {
  const actions = (config.actions ?? []).map(({ type, name, value }, i) => ({
    name: name ?? '',
    action: compileAction(type, value, context, i),
  }));
  return (pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return pair;
    const name = pair.slice(0, equals);
    let value: string | null = pair.slice(equals + 1);
    for (const step of actions) if (step.name === name && value !== null) value = step.action(value);
    return value === null ? null : `${name}=${value}`;
  };
}
