/** Header operations in a configuration, from the handlers `headers`, `reverse_proxy`, and `static_response`. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

export interface FieldOperation {
  /** Message that the header belongs to: the request to an upstream, or the response. */
  readonly of: 'request' | 'response';
  readonly kind: 'add' | 'set';
  readonly name: string;
  readonly values: readonly string[];
  /** Path of the header in the document. */
  readonly path: ConfigPath;
}

/** Returns all header operations. They are computed once for all checks. */
export function fieldOperations(configuration: LintedConfiguration): readonly FieldOperation[] {
  return configuration.remember(readOperations);
}

/** Returns the response header operations for a header, given its lowercase name. */
export function responseOperationsOn(configuration: LintedConfiguration, name: string): readonly FieldOperation[] {
  return fieldOperations(configuration).filter((each) => each.of === 'response' && each.name.toLowerCase() === name);
}

function readOperations(configuration: LintedConfiguration): readonly FieldOperation[] {
  const found: FieldOperation[] = [];
  for (const module of configuration.modulesOf('http.handlers.headers')) readBoth(module.node, module.path, found);
  for (const module of configuration.modulesOf('http.handlers.reverse_proxy')) {
    const { node } = module;
    const headers = isObject(node) ? own(node, 'headers') : undefined;
    if (headers !== undefined) readBoth(headers, [...module.path, 'headers'], found);
    const checks = isObject(node) ? own(node, 'health_checks') : undefined;
    const active = isObject(checks) ? own(checks, 'active') : undefined;
    const sent = isObject(active) ? own(active, 'headers') : undefined;
    if (sent !== undefined)
      readFields(sent, [...module.path, 'health_checks', 'active', 'headers'], { of: 'request', kind: 'set' }, found);
  }
  for (const module of configuration.modulesOf('http.handlers.static_response')) {
    const headers = isObject(module.node) ? own(module.node, 'headers') : undefined;
    if (headers !== undefined) readFields(headers, [...module.path, 'headers'], { of: 'response', kind: 'set' }, found);
  }
  return found;
}

function readBoth(node: Json, path: ConfigPath, found: FieldOperation[]): void {
  for (const side of ['request', 'response'] as const) {
    const operations = isObject(node) ? own(node, side) : undefined;
    if (!isObject(operations)) continue;
    for (const kind of ['add', 'set'] as const)
      readFields(own(operations, kind), [...path, side, kind], { of: side, kind }, found);
  }
}

function readFields(
  node: Json | undefined,
  path: ConfigPath,
  operation: Pick<FieldOperation, 'of' | 'kind'>,
  found: FieldOperation[],
): void {
  for (const [name, given] of isObject(node) ? Object.entries(node) : []) {
    const values = isArray(given) ? given.filter((each) => typeof each === 'string') : [];
    found.push({ ...operation, name, values, path: [...path, name] });
  }
}
