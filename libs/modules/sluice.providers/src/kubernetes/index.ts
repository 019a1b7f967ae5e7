/** `sluice.providers.kubernetes`: routes of the Gateway API. */
import { defineModule, options, string, strings } from '@sluice/registry';
import { providers, type Provider } from '@sluice/providers-app/contract';
import { ClusterProvider } from './cluster-provider.ts';
import { Controller } from './controller.ts';

const defaultController = 'sluice.dev/gateway-controller';
const defaultLease = 'sluice-gateway-controller';

export const kubernetesModule = defineModule(providers, {
  name: 'kubernetes',
  help: 'Serves routes of the Kubernetes Gateway API: Gateways, ListenerSets and all kinds of routes.',
  config: options({
    kubeconfig: string(
      'Path of a kubeconfig file with a token or a client certificate. Default: the environment variable KUBECONFIG, otherwise the service account of the pod.',
      { examples: ['/etc/sluice/kubeconfig'] },
    ),
    context: string('Context in the kubeconfig file. Default: its current context.'),
    controller_name: string('Controller name by which a GatewayClass selects this provider.', {
      default: defaultController,
    }),
    addresses: strings(
      'IP addresses of this server, one of which is assigned to each Gateway. Default: all Gateways listen on all addresses, and listeners with the same port share it.',
      { examples: [['192.0.2.10', '192.0.2.11']] },
    ),
    status_addresses: strings(
      'IP addresses or host names at which clients reach Gateways, reported in Gateway status. Has no effect if addresses is set.',
      { examples: [['203.0.113.10']] },
    ),
    lease: string(
      'Lease for electing the replica that writes status, as `namespace/name`. `none` disables the election. Default: sluice-gateway-controller in the namespace of the service account; none with a kubeconfig file.',
    ),
  }),
  provision(config): Provider {
    const controllerName = config.controller_name || defaultController;
    const addresses = config.addresses ?? [];
    const published = config.status_addresses ?? [];
    return new ClusterProvider(
      config,
      defaultLease,
      (isLeader, client, host, signal) =>
        new Controller({ controllerName, addresses, published, isLeader }, client, host, signal),
    );
  },
});
