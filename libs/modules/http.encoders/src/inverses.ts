/** How the encoders of this package are written in a Caddyfile again. */
import { moduleInverses, type WriteModule } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const load = async (): Promise<WriteModule> => (await import('./common/inverse.ts')).writeLevel;

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(
    moduleInverses,
    { name: 'http.encoders.gzip', load },
    { name: 'http.encoders.zstd', load: async () => (await import('./zstd/inverse.ts')).writeZstd },
  );
}
