/** The ACME server in the control thread. It uses a CA of the `pki` app and stores its state in storage. */
import {
  AcmeServer,
  Book,
  internet,
  NetworkValidator,
  type ServerSettings,
  type ValidationNetwork,
} from '@sluice/acme';
import { pkiApp } from '@sluice/pki-app';
import { SluiceError, formatDuration, guarded, taskOf, type Logger } from '@sluice/base';
import { ResourcePool, token, type Context, type Pooled, type Token } from '@sluice/registry';
import { safeSegment, storageToken, type Storage } from '@sluice/contracts';
import type { AcmeSettings } from './settings.ts';

/** Dependency token for overriding the ports and resolver of challenge validation in tests. */
export const validationNetworkToken: Token<ValidationNetwork> = token<ValidationNetwork>('acme-validation-network');

const cleaning = 6 * 3_600_000;

/** ACME state of a CA. All ACME servers of the CA share it, and it is cleaned up periodically. */
class SharedBook implements Pooled {
  readonly book: Book;
  readonly #timer: NodeJS.Timeout;

  constructor(storage: Storage, ca: string, log: Logger) {
    this.book = new Book(storage, `acme_server/${safeSegment(ca)}`, (key, error) =>
      log.error('ignored an invalid stored value', { key, error }),
    );
    const clean = guarded(taskOf('http.handlers.acme_server'), () => {
      this.book.clean().catch((error: unknown) => log.warn('failed to remove old orders', { error }));
    });
    this.#timer = setInterval(clean, cleaning);
    this.#timer.unref();
  }

  /** Closes the state without waiting for validations in progress. A validation starts again when a client requests its status. */
  close(): void {
    clearInterval(this.#timer);
  }
}

const pools = new WeakMap<Storage, ResourcePool<SharedBook>>();

function poolOf(storage: Storage): ResourcePool<SharedBook> {
  let pool = pools.get(storage);
  if (pool === undefined) pools.set(storage, (pool = new ResourcePool()));
  return pool;
}

/** Rejects a certificate lifetime that exceeds the lifetime of the signing intermediate certificate. */
export async function checkLifetime(ca: string, { lifetime }: AcmeSettings, context: Context): Promise<void> {
  const maxLifetime = (await context.app(pkiApp)).intermediateLifetime(ca);
  if (maxLifetime === null || lifetime < maxLifetime) return;
  throw context.error(
    `must be shorter than the lifetime of the intermediate certificate of ${JSON.stringify(ca)} (${formatDuration(maxLifetime)}): reduce lifetime, or increase intermediate_lifetime of the authority`,
    'lifetime',
  );
}

/** Creates an ACME server. If the CA does not exist, throws an error with the configuration path of the option that names the CA. */
export async function openServer(ca: string, settings: AcmeSettings, context: Context): Promise<AcmeServer> {
  const { log } = context;
  const pki = await context.app(pkiApp);
  if ((await pki.authority(ca)) === null)
    throw context.error(`certificate authority ${JSON.stringify(ca)} does not exist in apps.pki`, 'ca');
  const storage = await context.app(storageToken);
  const { book } = await context.acquire(poolOf(storage), ca, () => new SharedBook(storage, ca, log));
  const { resolvers, signWithRoot, ...rest } = settings;
  const issue: ServerSettings['issue'] = async ({ csr, names, lifetime }) => {
    const authority = await pki.authority(ca);
    if (authority === null) throw new SluiceError('ERR_PKI_AUTHORITY', `certificate authority ${ca} no longer exists`);
    return authority.issue({ subject: { csr }, names, lifetime, signWithRoot });
  };
  const report: ServerSettings['report'] = (level, message, fields) => log[level](message, { ca, ...fields });
  const network = context.find(validationNetworkToken) ?? internet(resolvers);
  return new AcmeServer(book, { ...rest, validator: new NetworkValidator(network), issue, report });
}
