/**
 * Builds the dashboard page: script chunks that are loaded when a view is opened, one style sheet, and the HTML document. File names
 * contain hashes, so browsers can cache them indefinitely. Each file also exists in compressed form.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rolldown, type OutputChunk } from 'rolldown';
import { workspaceRoot } from '../workspace.ts';

const sources = join(workspaceRoot, 'apps/dashboard/src/page');

const firstView = 'overview';

/** Build directory of the dashboard page, for a server that runs from the workspace. */
export const workspacePage: string = join(workspaceRoot, 'apps/dashboard/dist/page');

/** Empties a directory and builds the page in it. Returns the scripts with their modules. */
export async function makeDashboard(folder: string, { compress = true } = {}): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    cwd: workspaceRoot,
    input: { main: join(sources, 'main.tsx') },
    platform: 'browser',
    resolve: { conditionNames: ['@sluice/source'] },
    tsconfig: join(workspaceRoot, 'apps/dashboard/tsconfig.page.json'),
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    comments: { legal: false },
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const style = readFileSync(join(sources, 'styles/all.css'), 'utf8').replaceAll(
    /@import '\.\/([\w-]+\.css)';\n/g,
    (_, name) => readFileSync(join(sources, 'styles', String(name)), 'utf8'),
  );
  const icon = readFileSync(join(sources, 'icon.svg'), 'utf8');
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  const named = (name: string, text: string): string => {
    const hashed = name.replace('.', `-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.`);
    files.set(hashed, text);
    return hashed;
  };
  const names = {
    main: chunks.find(({ isEntry }) => isEntry)?.fileName ?? '',
    style: named('style.css', minified(style)),
    ok: named('icon.svg', icon),
    warn: named('icon-warn.svg', marked(icon, '#e6b450')),
    bad: named('icon-bad.svg', marked(icon, '#f2574a')),
  };
  const ahead = neededFirst(chunks).map((name) => `<link rel="modulepreload" href="${name}" />`);
  const page = readFileSync(join(sources, 'index.html'), 'utf8').replace('{{ahead}}', ahead.join('\n    '));
  files.set(
    'index.html',
    page.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => names[name as keyof typeof names]),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) {
    writeFileSync(join(folder, name), text);
    if (compress) writeCompressed(join(folder, name), text);
  }
  return chunks;
}

/** Returns the chunks, other than the entry, that the first view needs. Preloading these chunks avoids a chain of requests. */
function neededFirst(chunks: readonly OutputChunk[]): readonly string[] {
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const inner of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) need(inner);
  };
  for (const { fileName, isEntry, name } of chunks) if (isEntry || name === firstView) need(fileName);
  const entry = chunks.find(({ isEntry }) => isEntry)?.fileName;
  return [...needed].filter((name) => name !== entry);
}

/** Returns the icon with a badge that indicates an unhealthy state. */
function marked(icon: string, color: string): string {
  return icon.replace('</svg>', `<circle cx="12" cy="12" r="4" fill="${color}" stroke="#fff"/></svg>`);
}

function minified(style: string): string {
  return style
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*([{};:,>])\s*/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(';}', '}')
    .trim();
}

function writeCompressed(file: string, text: string): void {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(`${file}.br`, brotliCompressSync(text, options));
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
}
