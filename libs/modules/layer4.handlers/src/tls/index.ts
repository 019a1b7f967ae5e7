/** `layer4.handlers.tls`: terminates TLS. */
import type { Socket } from 'node:net';
import type { JsonArray } from '@sluice/base';
import { policyOptions, tlsApp } from '@sluice/contracts';
import { layer4Handlers, type Layer4Handler } from '@sluice/layer4-app';
import { defineModule, list, options } from '@sluice/registry';
import { limitTime } from '../common/time-limit.ts';

const policiesKey = 'connection_policies';
/** Default connection policies. The same object is used every time, so a configuration reload keeps the policy. */
const defaultPolicies: JsonArray = Object.freeze([Object.freeze({})]);

export const tlsModule = defineModule(layer4Handlers, {
  name: 'tls',
  help: 'Terminates TLS with certificates from the `tls` app. The handlers and routes that follow receive the decrypted bytes. This handler does not obtain certificates itself.',
  config: options({
    connection_policies: list(
      'TLS connection policies. The first policy that matches a connection applies. Default: a single policy for all connections.',
      policyOptions,
    ),
  }),
  async provision(config, context): Promise<Layer4Handler> {
    const tls = await context.app(tlsApp);
    const own = (config.connection_policies ?? []) as JsonArray;
    const policies = own.length === 0 ? defaultPolicies : own;
    const termination = await tls.termination(policies, { protocols: [] }, context, policiesKey);
    return {
      handle(connection, next) {
        if (connection.transport === 'udp') {
          connection.warn('cannot terminate TLS on UDP connections');
          connection.cut();
          return;
        }
        const stop = limitTime(connection, 'TLS handshake');
        termination.accept(connection.socket as Socket, connection.facts, (secure, info) => {
          stop();
          secure.on('error', ignore);
          connection.socket = secure;
          connection.facts.tls = info;
          next(connection);
        });
      },
    };
  },
});

function ignore(): void {}
