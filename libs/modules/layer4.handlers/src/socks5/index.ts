/** `layer4.handlers.socks5`: a SOCKS 5 server (RFC 1928). */
import { requiredText } from '@sluice/base';
import { layer4Handlers, type Layer4Handler } from '@sluice/layer4-app';
import { defineModule, map, options, string, strings, Type } from '@sluice/registry';
import { Session } from './session.ts';

const commandNames = ['CONNECT', 'BIND', 'ASSOCIATE'] as const;
type Command = (typeof commandNames)[number];

export const socks5Module = defineModule(layer4Handlers, {
  name: 'socks5',
  effect: 'outward',
  help: 'SOCKS5 server, which connects clients to the destinations that they request. Only the CONNECT command is supported; other commands are rejected.',
  config: options({
    commands: strings(
      'Commands that clients may use. Only CONNECT is supported: BIND and ASSOCIATE can be listed, but requests with these commands are rejected. Default: CONNECT.',
    ),
    bind_ip: string('Local IP address for connections to destinations. Default: chosen by the operating system.'),
    credentials: map(
      'Map of user names to passwords. If set, clients must authenticate with one of these credentials (RFC 1929). May contain placeholders.',
      Type.String(),
    ),
  }),
  provision(config, context): Layer4Handler {
    const commands = (config.commands ?? []).map((text, index): Command => {
      const name = requiredText(text, context, 'commands', index).toUpperCase();
      const known = commandNames.find((each) => each === name);
      if (known === undefined) throw context.error(`unknown command ${JSON.stringify(text)}`, 'commands', index);
      return known;
    });
    const credentials = new Map<string, string>();
    for (const [user, password] of Object.entries(config.credentials ?? {}))
      credentials.set(
        requiredText(user, context, 'credentials', user),
        requiredText(password, context, 'credentials', user),
      );
    const settings = {
      connects: commands.length === 0 || commands.includes('CONNECT'),
      credentials: credentials.size === 0 ? null : credentials,
      bindIp: requiredText(config.bind_ip, context, 'bind_ip'),
    };
    return { handle: (connection) => new Session(connection, settings).start() };
  },
});
