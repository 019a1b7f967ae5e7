/** Admin API endpoints for certificate authorities and their certificates. */
import { Registry, type AdminRoutes, type RunningServer } from '@sluice/registry';
import { Runtime, storageSection } from '@sluice/reconciler';
import { SluiceError, isObject, own } from '@sluice/base';
import { storages } from '@sluice/contracts';
import type { Authority } from './authority/authority.ts';
import { pkiApp } from './contract.ts';

/** Adds `GET /pki/ca/<id>` and `GET /pki/ca/<id>/certificates`. Other paths below `/pki/` return 404. */
export function addPkiRoutes({ router, server, describe: describeRoutes }: AdminRoutes): void {
  describeRoutes(async () => (await import('./admin-operations.ts')).operations);
  router.get('/pki/ca/:id', async ({ params: { id } }, response) => {
    response.json(describe(await authorityOf(server, id)));
  });
  router.get('/pki/ca/:id/certificates', async ({ params: { id } }, response) => {
    const chain = (await authorityOf(server, id)).chain();
    response.setHeader('Content-Type', 'application/pem-certificate-chain').end(chain);
  });
  router.get('/pki/{*rest}', () => {
    throw new SluiceError('ERR_ADMIN_PATH', 'not found; available: /pki/ca/ID and /pki/ca/ID/certificates', {
      status: 404,
    });
  });
}

function describe(authority: Authority): object {
  return {
    id: authority.id,
    name: authority.name,
    root_common_name: authority.rootCommonName,
    intermediate_common_name: authority.intermediateCommonName,
    root_certificate: authority.rootCertificate,
    intermediate_certificate: authority.intermediateCertificate,
  };
}

async function authorityOf(server: RunningServer, id: string): Promise<Authority> {
  const app = server.app(pkiApp);
  if (app !== null) return found(await app.authority(id), id);
  return withDefaultApp(server, async (made) => found(await made(id), id));
}

function found(authority: Authority | null, id: string): Authority {
  if (authority === null)
    throw new SluiceError('ERR_PKI_AUTHORITY', `certificate authority ${JSON.stringify(id)} does not exist`, {
      status: 404,
    });
  return authority;
}

/** If the configuration contains no `pki` app, creates a temporary one that uses the configured storage. */
async function withDefaultApp<T>(
  server: RunningServer,
  use: (authority: (id: string) => Promise<Authority | null>) => Promise<T>,
): Promise<T> {
  const { pkiAppModule } = await import('./app.ts');
  const registry = new Registry().add(pkiAppModule).addSection(storageSection);
  for (const module of server.registry.inNamespace(storages.id)) registry.add(module);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: server.log });
  const storage = isObject(server.effective) ? own(server.effective, 'storage') : undefined;
  runtime.commit(await runtime.prepare({ apps: { pki: {} }, ...(storage === undefined ? {} : { storage }) }));
  try {
    return await use(async (id) => (await runtime.app(pkiApp)?.authority(id)) ?? null);
  } finally {
    await runtime.close();
  }
}
