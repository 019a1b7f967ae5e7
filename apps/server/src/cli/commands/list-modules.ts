/** `sluice list-modules`: lists modules. Third-party modules are listed from their package.json, without running their code. */
import { configDirectory } from '@sluice/base';
import { Registry, type ModuleManifest } from '@sluice/registry';
import { findModules } from '../../modules/find-modules.ts';
import { registerStandard } from '../../register-standard.ts';

export interface ListOptions {
  readonly module?: readonly string[];
  readonly json?: boolean;
  readonly packages?: boolean;
  readonly versions?: boolean;
  readonly skipStandard?: boolean;
}

interface Listed {
  readonly id: string;
  readonly package: string | null;
  readonly version: string | null;
}

/** Prints module IDs, one per line, or JSON objects. Third-party modules come last. */
export async function listModules(options: ListOptions): Promise<number> {
  const standard = options.skipStandard === true ? [] : await standardModules();
  const others = findModules({
    named: options.module ?? [],
    cwd: process.cwd(),
    configuration: configDirectory(),
  }).flatMap(modulesOf);
  process.stdout.write(options.json === true ? asJson(standard, others) : asText(standard, others, options));
  return 0;
}

async function standardModules(): Promise<Listed[]> {
  const registry = new Registry();
  registerStandard(registry);
  return registry.list().map(({ id }) => {
    const origin = registry.originOf(id);
    return { id, package: origin.package, version: origin.version };
  });
}

function modulesOf(manifest: ModuleManifest): Listed[] {
  return manifest.modules.map(({ id }) => ({ id, package: manifest.package, version: manifest.version }));
}

function asJson(standard: readonly Listed[], others: readonly Listed[]): string {
  const entry = (module: Listed, type: string): object => ({
    module_name: module.id,
    module_type: type,
    version: module.version,
    package: module.package,
  });
  const all = [
    ...standard.map((module) => entry(module, 'standard')),
    ...others.map((module) => entry(module, 'non-standard')),
  ];
  return `${JSON.stringify(all, null, 2)}\n`;
}

function asText(standard: readonly Listed[], others: readonly Listed[], options: ListOptions): string {
  const line = (module: Listed, full: boolean): string => {
    const package_ = full || options.packages === true ? ` ${module.package}` : '';
    const version = full || options.versions === true ? ` v${module.version}` : '';
    return `${module.id}${package_}${version}\n`;
  };
  const part = (title: string, modules: readonly Listed[], full: boolean): string =>
    `${modules.map((module) => line(module, full)).join('')}\n  ${title}: ${modules.length}\n`;
  const parts = options.skipStandard === true ? [] : [part('Standard modules', standard, false)];
  if (others.length > 0) parts.push(part('Third-party modules', others, true));
  return parts.join('\n');
}
