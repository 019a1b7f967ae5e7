/** `caddy.storage.postgres`: options and layout of the module of this name that there is for the reference (yroc92's). */
import { storages, storageTimesToken } from '@sluice/contracts';
import { choice, defineModule, options, string, weakString } from '@sluice/registry';

const config = options({
  host: string('Host of the server, or the folder of its socket. Default: `localhost`.'),
  port: weakString('Its port. Default: 5432.'),
  user: string('Who we are. Default: `postgres`.'),
  password: string('The password of the user. Default: none.'),
  dbname: string('Name of the database. Default: that of the user.'),
  sslmode: choice(
    'Connections over TLS; `require` takes any certificate, `verify-full` one that is trusted. Default: `disable`.',
    ['disable', 'require', 'verify-full'],
  ),
});

/** The module. The client is loaded when it is used, and connects then. */
export const postgresModule = defineModule(storages, {
  name: 'postgres',
  help: 'Keeps data in PostgreSQL, with locks of which one that was lost cannot be written under.',
  config,
  async provision({ host, port, user, password, dbname, sslmode }, context) {
    const { PostgresStorage } = await import('./postgres-storage.ts');
    const place = host || 'localhost';
    const username = user || 'postgres';
    const secure = sslmode === 'require' || sslmode === 'verify-full';
    const storage = new PostgresStorage(
      {
        endpoints: [place.startsWith('/') ? place : `${place}:${port ?? 5432}`],
        database: dbname || username,
        username,
        password: password ?? '',
        tls: secure ? { ca: null, certificate: null, key: null, insecure: sslmode === 'require' } : null,
      },
      context.find(storageTimesToken),
    );
    context.onDispose(() => storage.close());
    return storage;
  },
});
