/** `sluice doc`: prints the reference documentation of modules and options. */
import { closest } from '@sluice/base';
import { references, type Registry } from '@sluice/registry';
import { findInReference, Reference, type Found } from '@sluice/registry/reference';
import { describedRegistry } from '../../configuration/described-registry.ts';
import { CommandError } from '../../failure.ts';
import { compactJson } from '../doc/compact-json.ts';
import { Page } from '../doc/page.ts';
import { writeModule, writeNamespace, writeOption, writeRoot } from '../doc/write.ts';

export interface DocOptions {
  readonly module?: readonly string[];
  readonly arguments?: readonly string[];
}

/** Describes the module or option at a path. If no path is given, describes the top level of the configuration. */
export async function doc({ module, arguments: [path = '', ...more] = [] }: DocOptions): Promise<number> {
  if (more.length > 0) throw new CommandError(`doc accepts a single argument; unexpected ${more.join(', ')}`);
  const page = new Page(process.stdout.isTTY ? (process.stdout.columns ?? 80) : 80, process.stdout.isTTY);
  await describeIn(page, path, module);
  process.stdout.write(page.text());
  return 0;
}

/** Returns the description of a module or option as plain text. Rejects if the path is unknown. */
export async function describeText(path: string, module: readonly string[] | undefined): Promise<string> {
  const page = new Page(120, false);
  await describeIn(page, path, module);
  return page.text();
}

async function describeIn(page: Page, path: string, module: readonly string[] | undefined): Promise<void> {
  const registry = await describedRegistry(module);
  const reference = new Reference(registry);
  const found = findInReference(reference, path);
  if (found.kind === 'unknown') throw new CommandError(unknown(found, path, reference));
  if (found.kind === 'root') writeRoot(page, reference);
  else if (found.kind === 'namespace') writeNamespace(page, reference, found.namespace);
  else if (found.kind === 'option') writeOption(page, reference, found);
  else writeModule(page, reference, found.module, await exampleOf(registry, found.module.id));
}

/** Returns a module's example from its package. Empty if there is none. */
async function exampleOf(registry: Registry, id: string): Promise<string> {
  for (const { load } of registry.contributions(references).values()) {
    const { examples, sources } = (await load()).reference;
    const source = sources?.[id]?.text;
    if (source !== undefined) return source.trimEnd();
    if (examples?.[id] !== undefined) return compactJson(examples[id]);
  }
  return '';
}

function unknown({ part, within, among }: Extract<Found, { kind: 'unknown' }>, path: string, all: Reference): string {
  const place = within === '' ? '' : ` in ${within}`;
  const ids = [...all.entries.keys(), ...all.namespaces()];
  const near = closest(part, among, 3) ?? closest(path, ids, 3) ?? ids.find((id) => id.endsWith(`.${path}`));
  if (near !== undefined && near !== null) return `unknown ${part}${place}; did you mean ${near}?`;
  if (within === '') return `unknown ${part}; run sluice doc without an argument for a list`;
  return `unknown ${part}${place}; it has ${among.length === 0 ? 'no options' : among.join(', ')}`;
}
