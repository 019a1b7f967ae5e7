/** The matchers of the HTTP app: namespace `http.matchers`. */
import { references, type Registry } from '@sluice/registry';
import { clientIpModule } from './client_ip/index.ts';
import { expressionModule } from './expression/index.ts';
import { fileRootCheck } from './file/check.ts';
import { fileModule } from './file/index.ts';
import { headerModule } from './header/index.ts';
import { headerRegexpModule } from './header_regexp/index.ts';
import { hostModule } from './host/index.ts';
import { methodModule } from './method/index.ts';
import { notModule } from './not/index.ts';
import { pathModule } from './path/index.ts';
import { pathRegexpModule } from './path_regexp/index.ts';
import { protocolModule } from './protocol/index.ts';
import { queryModule } from './query/index.ts';
import { remoteIpModule } from './remote_ip/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';
import { tlsModule } from './tls/index.ts';
import { urlPatternModule } from './url_pattern/index.ts';
import { varsModule } from './vars/index.ts';
import { varsRegexpModule } from './vars_regexp/index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(clientIpModule);
  registry.add(expressionModule);
  registry.add(fileModule).addCheck(fileRootCheck);
  registry.add(headerModule);
  registry.add(headerRegexpModule);
  registry.add(hostModule);
  registry.add(methodModule);
  registry.add(notModule);
  registry.add(pathModule);
  registry.add(pathRegexpModule);
  registry.add(protocolModule);
  registry.add(queryModule);
  registry.add(remoteIpModule);
  registry.add(tlsModule);
  registry.add(urlPatternModule);
  registry.add(varsModule);
  registry.add(varsRegexpModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/http.matchers',
    load: async () => (await import('./reference.ts')).reference,
  });
}
