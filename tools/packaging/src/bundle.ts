/**
 * Bundles the server's sources and all libraries into lazily loaded JavaScript chunks. All files are in one directory, as if compiled from
 * `apps/server/src`. Files that are located with `import.meta.url` must be placed there.
 */
import { join } from 'node:path';
import { rolldown, type OutputChunk, type OutputOptions, type RolldownOutput } from 'rolldown';
import { workspaceRoot } from './workspace.ts';
import { nodeBuiltins } from './node-builtins.ts';
import { onlyWhatIsUsed } from './only-what-is-used.ts';
import { quietRouter } from './quiet-router.ts';
import { required, requiredLibraries } from './required-libraries.ts';
import { rolesOf } from './roles.ts';

/** Entry points that are executed or imported from outside the bundle, by file name. */
const entries: Readonly<Record<string, string>> = {
  main: join(workspaceRoot, 'apps/server/src/main.ts'),
  worker: join(workspaceRoot, 'apps/server/src/worker.ts'),
  module: join(workspaceRoot, 'libs/module/src/index.ts'),
  directive: join(workspaceRoot, 'libs/module/src/directive.ts'),
  ...Object.fromEntries(required.map((name) => [name, `required:${name}`])),
};

/** Packages with native code. They cannot be bundled, so they remain regular dependencies. */
export const outside: readonly string[] = ['@node-rs/bcrypt'];

/** Minifier options. Names are kept for stack traces and profiles. */
export const minify = { mangle: false, compress: true, codegen: true } as const;

/** Empties a directory and bundles the server into it. Returns the output files with their modules. */
export async function bundle(folder: string): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    cwd: workspaceRoot,
    input: entries,
    platform: 'node',
    external: [...outside],
    resolve: { conditionNames: ['@sluice/source', 'node'] },
    // Entries must keep their exports for importers, but may have additional exports.
    preserveEntrySignatures: 'allow-extension',
    plugins: [requiredLibraries(), nodeBuiltins(), onlyWhatIsUsed(), quietRouter()],
    // Suppresses warnings for dynamic imports of modules that are already loaded. Such imports are effective in threads with other roles.
    checks: { ineffectiveDynamicImport: false },
  });
  const plain: OutputOptions = {
    dir: folder,
    cleanDir: true,
    format: 'esm',
    comments: { legal: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[hash].js',
  };
  const roles = rolesOf(chunksOf(await build.generate(plain)));
  const output = await build.write({
    ...plain,
    minify,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: (id) => roles.get(id) ?? null, debugName: 'roles' }],
    },
  });
  await build.close();
  return chunksOf(output);
}

function chunksOf({ output }: RolldownOutput): readonly OutputChunk[] {
  return output.filter((file) => file.type === 'chunk');
}
