/** Adapts the text of a Caddyfile to native JSON. */
import { messageOf, type Environment, type Json } from '@sluice/base';
import type { AdaptedConfig, AdapterWarning } from '@sluice/contracts';
import type { Registry } from '@sluice/registry';
import { directives, globalOptions } from './http/contributions.ts';
import type { Dispenser, ModuleReader } from './dispenser/dispenser.ts';
import { caddyfileError, withPlace } from './errors.ts';
import { explainOrder } from './explain/explain.ts';
import { OrderTrace } from './http/order-trace.ts';
import { formatCaddyfile } from './format/format.ts';
import { changeOrder, orderDirectives, type OrderChange } from './http/directive-order.ts';
import type { Assembly } from './http/directive-reader.ts';
import { assembleDocument } from './http/document.ts';
import { readGlobalBlock } from './http/global-block.ts';
import { GlobalOptions } from './http/global-options.ts';
import { GroupCounter } from './http/group-counter.ts';
import { pairListeners } from './http/listeners.ts';
import { readNamedRoutes } from './http/named-routes.ts';
import { checkKeys, expandBlock, readSite } from './http/site-blocks.ts';
import { noteOrigin } from './sources/origins.ts';
import { SourceMap } from './sources/source-map.ts';
import type { CaddyfileToken } from './token.ts';
import { Loaded, NotLoaded } from './loaded.ts';
import { nearest } from './nearest.ts';
import { pluginHint } from './plugin-directives.ts';
import { parseCaddyfile } from './parser/parser.ts';
import type { ParsedFile } from './parser/site.ts';

export interface CaddyfileOptions {
  readonly file: string;
  readonly environment: Environment;
  /** Callback invoked with each path or pattern that the Caddyfile imports. */
  readonly reads?: ((pattern: string) => void) | undefined;
}

/** Adapts a Caddyfile to JSON. Error messages include the file and line. */
export async function adaptCaddyfile(
  text: string,
  registry: Registry,
  options: CaddyfileOptions,
): Promise<AdaptedConfig> {
  try {
    return await adapt(text, registry, options);
  } catch (error) {
    throw withPlace(error);
  }
}

async function adapt(text: string, registry: Registry, options: CaddyfileOptions): Promise<AdaptedConfig> {
  if (text === '') throw caddyfileError('EOF', undefined, { file: options.file, line: 1, column: 1 });
  const parsed = parseCaddyfile(text, options.file, options.environment, options.reads);
  const loaded = new Loaded(registry);
  await loaded.prepare(tokensOf(parsed));
  const formatted = formatWarning(text, options.file);
  for (;;) {
    try {
      const { config, warnings, explain } = assemble(parsed, loaded, options);
      const sources = new SourceMap(config, parsed);
      return { config, warnings: [...parsed.warnings, ...warnings, ...formatted], sources, explain };
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      await error.load();
    }
  }
}

function* tokensOf({ blocks }: ParsedFile): Generator<CaddyfileToken, void, void> {
  for (const { segments } of blocks) for (const segment of segments) yield* segment;
}

function formatWarning(text: string, file: string): AdapterWarning[] {
  const formatted = formatCaddyfile(text);
  if (formatted === text.replaceAll('\r\n', '\n')) return [];
  const before = text.split('\n');
  const after = formatted.split('\n');
  const different = after.findIndex((each, at) => each !== before[at]);
  const line = different < 0 ? after.length : different + 1;
  const message = "Caddyfile input is not formatted; run 'sluice fmt --overwrite' to fix inconsistencies";
  return [{ file, line, message }];
}

type Assembled = Required<Omit<AdaptedConfig, 'sources'>>;

function assemble(parsed: ParsedFile, loaded: Loaded, { file }: CaddyfileOptions): Assembled {
  const warnings: AdapterWarning[] = [];
  const modules: ModuleReader = {
    read: (id: string, reader: Dispenser): Json => noteOrigin(loaded.read(id, reader), reader.tokens),
    suggest: (id) => loaded.suggest(id),
    has: (id) => loaded.syntax(id) !== undefined || loaded.knowsModule(id),
    warn: (token, message) => void warnings.push({ file: token.file, line: token.line, message }),
  };
  const known = loaded.registry.contributions(directives);
  const options = new GlobalOptions();
  const order = orderDirectives(known.values());
  let positions: ReadonlyMap<string, number> | null = null;
  const assembly: Assembly = {
    options,
    groups: new GroupCounter(),
    modules,
    trace: new OrderTrace(),
    file,
    order: () => (positions ??= new Map(order.map((name, at) => [name, at]))),
    directive: (name) => loaded.directive(name),
    suggestion: (name) => suggestion(name, known.keys()),
  };
  const [first, ...others] = parsed.blocks;
  const sites = first === undefined || first.keys.length > 0 ? parsed.blocks : others;
  if (sites !== parsed.blocks && first !== undefined) {
    const names = loaded.registry.contributions(globalOptions);
    const source = {
      globalOption: (name: string) => loaded.globalOption(name),
      suggestOption: (name: string) => suggestion(name, names.keys()),
    };
    readGlobalBlock(first, options, source, modules);
  }
  const misplaced = sites.find(({ keys }) => keys.length === 0);
  if (misplaced !== undefined) {
    const message = 'server block without any key is global configuration, and if used, it must be first';
    throw caddyfileError(message, undefined, misplaced.segments[0]?.[0]);
  }
  const moved = new Map<string, string>();
  for (const change of options.get<readonly OrderChange[]>('order') ?? []) {
    moved.set(change.name, `order ${change.name} ${change.position} ${change.neighbour}`.trim());
    try {
      changeOrder(order, change, (name) => known.has(name));
    } catch (error) {
      throw caddyfileError(
        `parsing caddyfile tokens for 'order': ${messageOf(error)}`,
        error,
        options.tokenOf('order', change.name),
      );
    }
  }
  for (const block of sites) checkKeys(block, assembly);
  const blocks = sites.map(expandBlock);
  const named = readNamedRoutes(blocks, assembly);
  const read = blocks.filter(({ namedRoute }) => !namedRoute).map((block) => readSite(block, assembly, named));
  const config = assembleDocument(pairListeners(read, options), assembly, loaded.finishersFor(options));
  return { config, warnings, explain: () => explainOrder(assembly.trace, { positions: assembly.order(), moved }) };
}

function suggestion(name: string, names: Iterable<string>): string {
  const hint = pluginHint(name);
  if (hint !== '') return hint;
  const near = nearest(name, names);
  return near === null ? '' : ` - did you mean '${near}'?`;
}
