/**
 * `layer4.matchers.postgres`: matches connections of PostgreSQL clients
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 */
import { layer4Matchers } from '@sluice/layer4-app';
import { choice, defineModule, map, options, orNull, strings, text, Type } from '@sluice/registry';
import { parseStartup } from './startup.ts';

export const postgresModule = defineModule(layer4Matchers, {
  name: 'postgres',
  effect: 'pure',
  help: "Matches PostgreSQL connections by the client's startup message. All filters that are set must match.",
  config: options({
    user: map(
      'Map of user names to accepted database names. `*` = all other users. Empty list or null = any database.',
      orNull(Type.Array(text())),
    ),
    client: strings('Accepted values of the `application_name` startup parameter.'),
    tls: choice(
      'Required type of the first message: `enabled` = a TLS request, `disabled` = any other message, `*` = either. A TLS request never matches if `user` or `client` is set. Default: `*`.',
      ['enabled', 'disabled', '*', ''],
    ),
  }),
  provision(config) {
    const users = Object.keys(config.user ?? {}).length === 0 ? null : (config.user ?? {});
    const clients = config.client?.length ? config.client : null;
    const tls = config.tls ?? '*';
    return {
      match(_, bytes, end) {
        const message = parseStartup(bytes, end);
        if (typeof message === 'string') return message === 'incomplete' ? null : false;
        if (message.kind === 'ssl') return tls !== 'disabled' && users === null && clients === null;
        if (tls === 'enabled') return false;
        if (message.kind !== 'startup') return users === null && clients === null;
        const { parameters } = message;
        if (clients !== null && !clients.includes(parameters.get('application_name') ?? '')) return false;
        return users === null || isAllowed(users, parameters);
      },
    };
  },
});

function isAllowed(
  users: Readonly<Record<string, readonly string[] | null>>,
  parameters: ReadonlyMap<string, string>,
): boolean {
  const user = parameters.get('user') ?? '';
  const databases = Object.hasOwn(users, user) ? users[user] : users['*'];
  if (databases === undefined) return false;
  // As in PostgreSQL, the database name defaults to the user name.
  return !databases?.length || databases.includes(parameters.get('database') ?? user);
}
