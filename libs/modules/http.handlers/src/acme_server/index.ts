/** The module `http.handlers.acme_server`, which issues certificates from a local CA to ACME clients (RFC 8555). */
import { httpHandlers } from '@sluice/http-app';
import { defaultAuthority } from '@sluice/pki-app';
import { defineModule } from '@sluice/registry';
import { hashNode } from '@sluice/reconciler';
import { threadBusToken } from '@sluice/threads';
import { AcmeHandler } from './acme-handler.ts';
import { askServer, serverQuestion } from './ask-server.ts';
import { checkLifetime, openServer } from './open-server.ts';
import { acmeServerOptions } from './options.ts';
import { settingsOf } from './settings.ts';

export const acmeServerModule = defineModule(httpHandlers, {
  name: 'acme_server',
  effect: 'outward',
  help: 'Runs an ACME server that issues certificates from a certificate authority in the `pki` app.',
  config: acmeServerOptions,
  async provision(config, context) {
    const ca = config.ca || defaultAuthority;
    const settings = settingsOf(config, context);
    // Traffic threads skip this check, because the control thread has already performed it.
    if (context.roles.control || !context.roles.traffic) await checkLifetime(ca, settings, context);
    const prefix = `${(config.path_prefix || '/acme/').replace(/\/*$/, '/')}${ca}`;
    // ACME servers with the same options are interchangeable, so threads identify a server by its options.
    const question = serverQuestion(hashNode(config));
    const bus = context.find(threadBusToken);
    if (!context.roles.control) return new AcmeHandler(prefix, config.host || null, askServer(bus, question));
    const server = await openServer(ca, settings, context);
    if (bus !== undefined) context.onDispose(bus.onAsk(question, (request) => server.handle(request)));
    return new AcmeHandler(prefix, config.host || null, (request) => server.handle(request));
  },
});
