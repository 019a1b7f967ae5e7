/** Loaders of certificates: `tls.certificates`. */
import { references, type Registry } from '@sluice/registry';
import { automateModule } from './automate/index.ts';
import { loadFilesModule } from './load_files/index.ts';
import { loadFoldersModule } from './load_folders/index.ts';
import { loadPemModule } from './load_pem/index.ts';
import { loadStorageModule } from './load_storage/index.ts';

/** Adds all modules of the namespace. */
export function register(registry: Registry): void {
  registry.add(automateModule);
  registry.add(loadFilesModule);
  registry.add(loadFoldersModule);
  registry.add(loadPemModule);
  registry.add(loadStorageModule);
  registry.contribute(references, {
    name: '@sluice/tls.certificates',
    load: async () => (await import('./reference.ts')).reference,
  });
}
