/** Checks the Helm chart. Tests that render the chart are skipped if `helm` is not installed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { makeChart } from '../src/chart/chart-package.ts';
import { readJson, workspaceRoot } from '../src/workspace.ts';
import { faultsOf, isDefined } from './kubernetes-definitions.ts';
import { environmentOf, temporaryFolder } from './support.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly unknown[];
  readonly spec?: {
    readonly template?: { readonly spec: PodSpec };
    readonly ports?: readonly { readonly port: number; readonly protocol: string }[];
  };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly hostNetwork?: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly { readonly ports: readonly { readonly name: string; readonly hostPort?: number }[] }[];
}

const chart = join(workspaceRoot, 'tools/packaging/chart');
const hasHelm = spawnSync('helm', ['version']).status === 0;

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Renders the chart with settings such as `kind=DaemonSet`. Returns the manifests. */
function render(...settings: readonly string[]): Manifest[] {
  const sets = settings.flatMap((each) => ['--set', each]);
  const text = run('helm', ['template', 'sluice', chart, '--namespace', 'web', '--kube-version', '1.37.0', ...sets]);
  return parseAllDocuments(text)
    .map((document) => {
      for (const error of document.errors) throw error;
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}

function podOf(manifests: readonly Manifest[]): PodSpec {
  const found = manifests.find(({ spec }) => spec?.template !== undefined)?.spec?.template?.spec;
  if (found === undefined) throw new Error('no workload');
  return found;
}

function configOf(manifests: readonly Manifest[]): string {
  return manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['sluice.json'] ?? '';
}

const variants: readonly (readonly string[])[] = [
  [],
  ['ingress.enabled=true', 'gateway.enabled=false', 'ingress.class.default=true'],
  ['ingress.enabled=true', 'ingress.options.http=:8080', 'ingress.options.https=none', 'serviceMonitor.enabled=true'],
  ['kind=DaemonSet', 'hostPort=true', 'service.enabled=false'],
  ['kind=DaemonSet', 'hostNetwork=true', 'podDisruptionBudget.enabled=false'],
  ['rbac.secretNamespaces={web,shop}', 'service.externalTrafficPolicy=Local', 'image.digest=sha256:0'],
];

describe('packaging of the Helm chart', () => {
  it('the Helm chart package has the version of the server, and is reproducible', () => {
    const { version } = readJson(join(workspaceRoot, 'apps/server/package.json')) as { readonly version: string };
    const { folder, remove } = temporaryFolder();
    try {
      const archive = makeChart(folder);
      const first = readFileSync(archive);
      const description = parse(run('tar', ['-xzOf', archive, 'sluice/Chart.yaml'])) as object;
      expect(description).to.include({ name: 'sluice', version, appVersion: version });
      expect(run('tar', ['-tzf', archive])).to.include('sluice/templates/workload.yaml\n');
      expect(readFileSync(makeChart(folder)).equals(first)).to.equal(true);
    } finally {
      remove();
    }
  });

  describe('packaging of the Helm chart with helm', () => {
    before(function () {
      if (!hasHelm) this.skip();
    });

    it('helm lint finds no errors in the chart', () => {
      run('helm', ['lint', '--strict', '--kube-version', '1.37.0', chart]);
    });

    for (const settings of variants)
      it(`the manifests of the Helm chart are valid with ${settings.join(', ') || 'default values'}`, () => {
        const manifests = render(...settings);
        const checked = manifests.filter(isDefined);
        expect(checked.map(({ kind }) => kind)).to.include('ConfigMap');
        for (const manifest of checked) expect(faultsOf(manifest)).to.deep.equal([]);
      });

    it('the server accepts the configuration of the Helm chart with user-provided options and configuration @long', () => {
      const { folder, remove } = temporaryFolder();
      try {
        const config = configOf(
          render(
            'ingress.enabled=true',
            'ingress.options.http=:8080',
            'ingress.options.https=none',
            'gateway.options.status_addresses={192.0.2.1}',
            'config.apps.http.grace_period=20s',
          ),
        );
        const { apps } = JSON.parse(config) as { readonly apps: Readonly<Record<string, object>> };
        expect(apps['http']).to.include({ grace_period: '20s', shutdown_delay: '10s' });
        expect(apps['providers']).to.deep.equal({
          sources: {
            ingress: { provider: 'ingress', status_service: 'web/sluice', http: ':8080', https: 'none' },
            kubernetes: { provider: 'kubernetes', status_addresses: ['192.0.2.1'] },
          },
        });
        const file = join(folder, 'sluice.json');
        writeFileSync(file, config);
        const main = join(workspaceRoot, 'apps/server/src/main.ts');
        const args = ['--conditions=@sluice/source', main, 'validate', '--config', file];
        expect(run(process.execPath, args, environmentOf(folder))).to.include('Valid configuration');
      } finally {
        remove();
      }
    });

    it('the pod of the Helm chart terminates after the delay and the grace period in the configuration', () => {
      const manifests = render('shutdownDelaySeconds=7', 'gracePeriodSeconds=40');
      expect(JSON.parse(configOf(manifests))).to.have.nested.include({
        'apps.http.shutdown_delay': '7s',
        'apps.http.grace_period': '40s',
      });
      expect(podOf(manifests).terminationGracePeriodSeconds).to.be.greaterThan(47);
    });

    it('the Helm chart runs its pod as a non-root user, except with host networking', () => {
      expect(podOf(render()).securityContext).to.include({ runAsNonRoot: true, runAsUser: 65_532 });
      const pod = podOf(render('hostNetwork=true'));
      expect(pod.hostNetwork).to.equal(true);
      // Kubernetes rejects network sysctls for Pods that use the host network.
      expect(pod.securityContext).to.include({ runAsUser: 0 }).and.not.to.have.property('sysctls');
    });

    it('the Service of the Helm chart exposes TCP ports 80 and 443, and UDP port 443 for HTTP/3', () => {
      const service = render().find(({ kind }) => kind === 'Service');
      expect(service?.spec?.ports?.map(({ port, protocol }) => `${port} ${protocol}`)).to.deep.equal([
        '80 TCP',
        '443 TCP',
        '443 UDP',
      ]);
    });

    it('the Helm chart makes Secrets readable only in the namespaces listed in rbac.secretNamespaces', () => {
      const readers = (manifests: readonly Manifest[]): string[] =>
        manifests
          .filter(({ rules }) => JSON.stringify(rules ?? []).includes('"secrets"'))
          .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`);
      expect(readers(render())).to.deep.equal(['ClusterRole ']);
      expect(readers(render('rbac.secretNamespaces={web,shop}')).toSorted()).to.deep.equal(['Role shop', 'Role web']);
    });

    it('the Helm chart can serve Gateways and Ingresses with one release', () => {
      const { apps } = JSON.parse(configOf(render('ingress.enabled=true'))) as {
        readonly apps: { readonly providers: { readonly sources: object } };
      };
      expect(Object.keys(apps.providers.sources)).to.deep.equal(['ingress', 'kubernetes']);
    });

    it('the Helm chart rejects other kinds of workloads', () => {
      expect(() => render('kind=StatefulSet')).to.throw('kind must be Deployment or DaemonSet');
    });
  });
});
