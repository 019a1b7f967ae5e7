/** The app `caddy.filesystems`, which registers file systems by name. */
import { disk, fileSystems, type FileSystem, type FileSystemsApp } from '@sluice/http-app';
import { apps, defineModule, inlineModule, list, options, string } from '@sluice/registry';

export const fileSystemsModule = defineModule(apps, {
  name: 'caddy.filesystems',
  help: 'Named file systems for handlers and matchers. Default: the local disk.',
  config: options({
    filesystems: list(
      'Named file systems.',
      options({
        name: string(
          'Name of the file system, as used in the `fs` option of `file_server`. The name `default` replaces the default file system, which is the local disk.',
        ),
        file_system: inlineModule('Module that provides the file system.', fileSystems, 'backend'),
      }),
    ),
  }),
  async provision(config, context): Promise<FileSystemsApp> {
    const named = new Map<string, FileSystem>([['default', disk]]);
    const taken = new Set<string>();
    for (const [index, entry] of (config.filesystems ?? []).entries()) {
      const at = ['filesystems', index] as const;
      const name = entry.name ?? '';
      if (name === '') throw context.error('name is missing', ...at, 'name');
      if (taken.has(name)) throw context.error(`duplicate file system ${JSON.stringify(name)}`, ...at, 'name');
      if (entry.file_system == null) throw context.error('backend is missing', ...at, 'file_system');
      taken.add(name);
      named.set(name, await context.loadInline(fileSystems, entry.file_system, 'backend', ...at, 'file_system'));
    }
    return { find: (name) => named.get(name) };
  },
});
