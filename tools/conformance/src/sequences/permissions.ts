/** Creates a service account that has only the permissions listed in the guides. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Cluster } from './cluster.ts';

const guides = ['kubernetes.md', 'from-ingress-nginx.md'];
const account = { name: 'sluice', namespace: 'default' };
const authorization = '/apis/rbac.authorization.k8s.io/v1';

interface Role {
  readonly kind?: string;
  readonly metadata: { readonly name: string };
}

export async function grantPermissions(cluster: Cluster): Promise<void> {
  await apply(cluster, '/api/v1/namespaces/default/serviceaccounts/sluice', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: account,
  });
  for (const role of guides.flatMap(rolesOf)) {
    const { name } = role.metadata;
    await apply(cluster, `${authorization}/clusterroles/${name}`, role);
    await apply(cluster, `${authorization}/clusterrolebindings/${name}`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
  }
}

export async function serviceAccountToken(cluster: Cluster): Promise<string> {
  const { json } = await cluster.send('POST', '/api/v1/namespaces/default/serviceaccounts/sluice/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 24 * 3600 },
  });
  return (json as { readonly status: { readonly token: string } }).status.token;
}

/** Returns the ClusterRoles that a guide contains. */
function rolesOf(guide: string): readonly Role[] {
  const text = readFileSync(new URL(`../../../../docs/guide/${guide}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^( *)```yaml\n([^]*?)^ *```/gm)]
    .flatMap(([, indent = '', block = '']) => parseAllDocuments(block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')))
    .map((document) => document.toJS() as Role)
    .filter(({ kind }) => kind === 'ClusterRole');
}

async function apply(cluster: Cluster, path: string, object: object): Promise<void> {
  const answer = await cluster.send(
    'PATCH',
    `${path}?fieldManager=sequences&force=true`,
    object,
    'application/apply-patch+yaml',
  );
  if (answer.status >= 300) throw new Error(`cannot apply ${path}: ${JSON.stringify(answer.json)}`);
}
