/**
 * Storage module for the certificate trial. It wraps another storage, shortens the lifetime of locks, and suspends the process between
 * writes. The certificate's name selects the write. The lock owner of `stop3-….sluice.test` is suspended before its third write, once per
 * name. `stop0` never suspends.
 */
import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { defineModule, inlineModule, integer, options, string, type Registry } from '@sluice/registry';
import { storages, storageTimesToken, type Storage, type StorageLock } from '@sluice/contracts';

/** Events that a member reports, one per line. */
export type Told =
  | { readonly holds: string }
  | { readonly stops: string }
  | { readonly lost: string }
  | { readonly refused: string };

const stoppingModule = defineModule(storages, {
  name: 'stopping',
  help: 'Wraps a storage and stops the process.',
  config: options({
    storage: inlineModule('The wrapped storage.', storages, 'module'),
    span: integer('Lifetime of a lock, in milliseconds.'),
    folder: string('Directory in which members record which process was stopped.'),
  }),
  async provision({ storage, span, folder }, context) {
    context.provide(storageTimesToken, { span: span ?? 0, poll: 100 });
    const inner = await context.loadInline(storages, storage ?? {}, 'module', 'storage');
    return stopping(inner, folder ?? '');
  },
});

/** Registers the module. */
export function registerStopping(registry: Registry): void {
  registry.add(stoppingModule);
}

function stopping(inner: Storage, folder: string): Storage {
  const proxied = Object.fromEntries(
    (['load', 'store', 'delete', 'exists', 'list', 'stat'] as const).map((name) => [name, inner[name].bind(inner)]),
  ) as Omit<Storage, 'lock'>;
  return { ...proxied, lock: async (name, wait) => watched(await inner.lock(name, wait), name, folder) };
}

function watched(lock: StorageLock, name: string, folder: string): StorageLock {
  const at = Number(/^issue_cert_stop(\d+)-/.exec(name)?.[1] ?? 0);
  if (at > 0 || name.startsWith('issue_cert_stop0')) report({ holds: name });
  lock.lost.addEventListener('abort', () => report({ lost: name }), { once: true });
  let writes = 0;
  const step = async (): Promise<void> => {
    if (++writes === at && (await isFirst(join(folder, name)))) {
      report({ stops: name });
      process.kill(process.pid, 'SIGSTOP');
    }
  };
  const around = async (write: Promise<void> | undefined): Promise<void> => {
    try {
      await write;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === 'ERR_STORAGE_LOCK') report({ refused: name });
      throw error;
    }
  };
  const { write, writeOne } = lock;
  return {
    lost: lock.lost,
    ...(write && {
      write: async (values) => {
        await step();
        await around(write(values));
      },
    }),
    ...(writeOne && {
      writeOne: async (key, value) => {
        await step();
        await around(writeOne(key, value));
      },
    }),
    release: async () => {
      await step();
      await lock.release();
    },
  };
}

/** Reports whether this process is the first one for a name. Only the first process is suspended, so that the next lock owner continues. */
async function isFirst(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx')).close();
    return true;
  } catch {
    return false;
  }
}

/** Reports an event with a synchronous write, because the process may be about to suspend itself. */
function report(reported: Told): void {
  writeSync(1, `${JSON.stringify(reported)}\n`);
}
