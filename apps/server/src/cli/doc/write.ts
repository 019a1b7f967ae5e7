/** Formats the descriptions of modules and options for `sluice doc`. The output matches the pages in docs/reference. */
import type { Found, ModuleEntry, OptionReference, Reference } from '@sluice/registry/reference';
import type { Page } from './page.ts';

/** Describes the top level of a configuration: sections, apps, and module namespaces. */
export function writeRoot(page: Page, reference: Reference): void {
  const sections = [...reference.entries.values()].filter(({ section }) => section);
  page.heading('Configuration sections');
  writeList(page, sections);
  page.heading('Apps, in the apps section');
  writeList(page, reference.inNamespace(''));
  page.heading('Namespaces of modules');
  page.paragraph(reference.namespaces().join(', '), 2);
  page.heading('Further');
  page.paragraph(
    'Run sluice doc <id> to show a module, or sluice doc with a path such as http.handlers.encode.gzip.level to show an option.',
    2,
  );
}

/** Lists the modules of a namespace, including those in nested namespaces. */
export function writeNamespace(page: Page, reference: Reference, namespace: string): void {
  for (const each of reference.namespaces()) {
    if (each !== namespace && !each.startsWith(`${namespace}.`)) continue;
    page.heading(each);
    writeList(page, reference.inNamespace(each));
    writePlaces(page, reference, each);
  }
}

/** Describes a module with all of its options. */
export function writeModule(page: Page, reference: Reference, module: ModuleEntry, example: string): void {
  page.heading(module.id).paragraph(module.help, 2);
  const { help, type, modules, options } = module.options;
  if (help !== '' && help !== module.help) page.paragraph(help, 2);
  if (module.section) page.paragraph(`In the configuration: ${module.name}`, 2, 2);
  else if (module.namespace === '') page.paragraph(`In the configuration: apps › ${module.name}`, 2, 2);
  else writePlaces(page, reference, module.namespace);
  if (modules !== null || type !== 'object') page.paragraph(`Type: ${type}`, 2, 2);
  writeHosted(page, reference, modules?.namespace);
  if (options.length > 0) {
    page.heading('Options');
    for (const option of options) writeFields(page, option, 2);
  }
  if (example !== '') page.heading('Example').verbatim(example, 2);
}

export function writeOption(
  page: Page,
  reference: Reference,
  { module, path, option }: Extract<Found, { kind: 'option' }>,
): void {
  page.heading(`${module.id} › ${path.replaceAll('.', ' › ')}`).paragraph(factsOf(option), 2);
  if (option.help !== '') page.paragraph(option.help, 2);
  writeHosted(page, reference, option.modules?.namespace);
  if (option.options.length === 0) return;
  page.heading('Options');
  for (const inner of option.options) writeFields(page, inner, 2);
}

function writeList(page: Page, entries: readonly ModuleEntry[]): void {
  for (const { name, help } of entries) page.paragraph(`${page.strong(name)}: ${help}`, 2, 2);
}

function writePlaces(page: Page, reference: Reference, namespace: string): void {
  for (const { host, path } of reference.placesOf(namespace)) page.paragraph(`In ${[host, ...path].join(' › ')}`, 2, 2);
}

function writeHosted(page: Page, reference: Reference, namespace: string | undefined): void {
  const hosted = namespace === undefined ? [] : reference.inNamespace(namespace);
  if (hosted.length > 0) page.paragraph(`Modules: ${hosted.map(({ name }) => name).join(', ')}`, 2, 2);
}

function writeFields(page: Page, option: OptionReference, indent: number): void {
  const facts = `${page.strong(option.name)} (${factsOf(option)})`;
  page.paragraph(option.help === '' ? facts : `${facts}: ${option.help}`, indent, 2);
  for (const inner of option.options) writeFields(page, inner, indent + 2);
}

function factsOf({ type, values, default: defaultValue }: OptionReference): string {
  const one = values.length === 0 ? '' : `; one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return `${type}${one}${defaultValue === undefined ? '' : `; default ${JSON.stringify(defaultValue)}`}`;
}
