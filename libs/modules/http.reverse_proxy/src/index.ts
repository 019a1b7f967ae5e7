/** Parts of the reverse proxy: namespaces `http.reverse_proxy.*`. */
import { references, type Registry } from '@sluice/registry';
import { clientIpHashModule } from './selection_policies/client_ip_hash/index.ts';
import { cookieModule } from './selection_policies/cookie/index.ts';
import { firstModule } from './selection_policies/first/index.ts';
import { headerModule } from './selection_policies/header/index.ts';
import { ipHashModule } from './selection_policies/ip_hash/index.ts';
import { leastConnModule } from './selection_policies/least_conn/index.ts';
import { queryModule } from './selection_policies/query/index.ts';
import { randomModule } from './selection_policies/random/index.ts';
import { randomChooseModule } from './selection_policies/random_choose/index.ts';
import { roundRobinModule } from './selection_policies/round_robin/index.ts';
import { uriHashModule } from './selection_policies/uri_hash/index.ts';
import { weightedRoundRobinModule } from './selection_policies/weighted_round_robin/index.ts';
import { fastcgiModule } from './transport/fastcgi/index.ts';
import { httpTransportModule } from './transport/http/index.ts';
import { aModule } from './upstreams/a/index.ts';
import { multiModule } from './upstreams/multi/index.ts';
import { srvModule } from './upstreams/srv/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(clientIpHashModule);
  registry.add(cookieModule);
  registry.add(firstModule);
  registry.add(headerModule);
  registry.add(ipHashModule);
  registry.add(leastConnModule);
  registry.add(queryModule);
  registry.add(randomModule);
  registry.add(randomChooseModule);
  registry.add(roundRobinModule);
  registry.add(uriHashModule);
  registry.add(weightedRoundRobinModule);
  registry.add(fastcgiModule);
  registry.add(httpTransportModule());
  registry.add(aModule);
  registry.add(multiModule);
  registry.add(srvModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/http.reverse_proxy',
    load: async () => (await import('./reference.ts')).reference,
  });
}
