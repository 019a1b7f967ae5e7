/**
 * Makes one package of the server: JavaScript in chunks that are loaded when they are used, of our sources and all
 * libraries. Chunks and entries lie side by side in one folder, as if all were compiled from `apps/server/src` itself: what
 * looks for something beside itself (`import.meta.url`) stands there.
 */
import { join } from 'node:path';
import { rolldown, type OutputChunk, type OutputOptions, type RolldownOutput } from 'rolldown';
import { workspaceRoot } from './workspace.ts';
import { nodeBuiltins } from './node-builtins.ts';
import { onlyWhatIsUsed } from './only-what-is-used.ts';
import { required, requiredLibraries } from './required-libraries.ts';
import { rolesOf } from './roles.ts';

/** What is started or imported from outside, by the name of its file. */
const entries: Readonly<Record<string, string>> = {
  main: join(workspaceRoot, 'apps/server/src/main.ts'),
  worker: join(workspaceRoot, 'apps/server/src/worker.ts'),
  module: join(workspaceRoot, 'libs/module/src/index.ts'),
  directive: join(workspaceRoot, 'libs/module/src/directive.ts'),
  ...Object.fromEntries(required.map((name) => [name, `required:${name}`])),
};

/** Packages with code for one platform, which a bundle cannot have; they stay dependencies. */
export const outside: readonly string[] = ['@node-rs/bcrypt'];

/** Names stay: they are what stack traces and profiles show. */
export const minify = { mangle: false, compress: true, codegen: true } as const;

/** Bundles the server into a folder, which is emptied. Gives the files with what went into each. */
export async function bundle(folder: string): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    cwd: workspaceRoot,
    input: entries,
    platform: 'node',
    external: [...outside],
    resolve: { conditionNames: ['@sluice/source', 'node'] },
    // What an entry exports is what its users import, which no other chunk adds to.
    preserveEntrySignatures: 'allow-extension',
    plugins: [requiredLibraries(), nodeBuiltins(), onlyWhatIsUsed()],
    // Dynamic imports of what is loaded at the start anyway are meant for other roles.
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
