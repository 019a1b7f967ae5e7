/** `sluice.providers.ingress`: Ingresses of a Kubernetes cluster, with annotations of ingress-nginx. */
import { boolean, defineModule, options, string, strings } from '@sluice/registry';
import { providers, type Provider } from '@sluice/providers-app/contract';
import { ClusterProvider } from '../cluster-provider.ts';
import { IngressController, type IngressControllerOptions } from './controller.ts';
import { defaultPrefix, defaultSettings } from './settings.ts';

const defaultController = 'sluice.dev/ingress-controller';
const defaultLease = 'sluice-ingress-controller';

export const ingressModule = defineModule(providers, {
  name: 'ingress',
  help: 'Serves routes of Kubernetes Ingresses, with ingress-nginx annotations.',
  config: options({
    kubeconfig: string(
      'Path of a kubeconfig file with a token or a client certificate. Default: the environment variable KUBECONFIG, otherwise the service account of the pod.',
      { examples: ['/etc/sluice/kubeconfig'] },
    ),
    context: string('Context in the kubeconfig file. Default: its current context.'),
    controller_name: string('Controller name by which an IngressClass selects this provider.', {
      default: defaultController,
    }),
    http: string('Listen address for HTTP. `none` = disabled.', { default: defaultSettings.http }),
    https: string('Listen address for HTTPS. `none` = disabled.', { default: defaultSettings.https }),
    annotations_prefix: string('Annotation prefix.', { default: defaultPrefix }),
    default_backend: string(
      'Service for requests that match no path, as `namespace/name`. Its first port is used. Default: respond with 404.',
    ),
    default_certificate: string(
      'Secret with the certificate for hosts without one, as `namespace/name`. Default: reject their handshakes.',
    ),
    allow_snippets: boolean(
      'Apply nginx configuration in annotations. Ingress authors can then bypass the rules of other annotations.',
      { default: false },
    ),
    allow_cross_namespace: boolean(
      'Allow annotations that refer to Secrets and ConfigMaps in other namespaces. Ingress authors can then use objects that they cannot read.',
      { default: false },
    ),
    trusted_proxies: strings('IP ranges of load balancers whose X-Forwarded fields are trusted.', {
      examples: [['10.0.0.0/8']],
    }),
    status_addresses: strings(
      'IP addresses or host names at which clients reach this server, reported in Ingress status.',
      {
        examples: [['203.0.113.10']],
      },
    ),
    status_service: string(
      'Service whose load balancer addresses are reported in Ingress status, as `namespace/name`. Overrides status_addresses.',
    ),
    lease: string(
      'Lease for electing the replica that writes status and events, as `namespace/name`. `none` disables the election. Default: sluice-ingress-controller in the namespace of the service account; none with a kubeconfig file.',
    ),
  }),
  provision(config): Provider {
    const address = (text: string | null | undefined, fallback: string): string =>
      text === 'none' ? '' : text || fallback;
    const controllerOptions: Omit<IngressControllerOptions, 'isLeader'> = {
      controllerName: config.controller_name || defaultController,
      published: config.status_addresses ?? [],
      publishedService: config.status_service ?? '',
      settings: {
        prefix: config.annotations_prefix || defaultPrefix,
        http: address(config.http, defaultSettings.http),
        https: address(config.https, defaultSettings.https),
        defaultBackend: config.default_backend ?? '',
        defaultCertificate: config.default_certificate ?? '',
        allowSnippets: config.allow_snippets ?? false,
        allowCrossNamespace: config.allow_cross_namespace ?? false,
        trustedProxies: config.trusted_proxies ?? [],
        isOffline: false,
      },
    };
    return new ClusterProvider(
      config,
      defaultLease,
      (isLeader, client, host, signal) =>
        new IngressController({ ...controllerOptions, isLeader }, client, host, signal),
    );
  },
});
