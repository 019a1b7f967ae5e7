/** Access logs, spans, and fields of all responses. */
import type { Json, JsonObject } from '@sluice/base';
import { keyOf } from '../../objects.ts';
import { literal } from '../../gateway/text.ts';
import { configMapOf, type IngressScope } from '../scope.ts';

export function observingHandlers({ ingress, annotations }: IngressScope): readonly JsonObject[] {
  const isTraced = annotations.flag('enable-opentelemetry') ?? annotations.flag('enable-opentracing') ?? false;
  if (annotations.flag('opentelemetry-trust-incoming-span') === false)
    annotations.warn('opentelemetry-trust-incoming-span', 'incoming spans are always trusted');
  return [
    ...(annotations.flag('enable-access-log') === false ? [{ handler: 'vars', log_skip: true }] : []),
    ...(isTraced ? [{ handler: 'tracing', span: `ingress ${literal(keyOf(ingress))}` }] : []),
  ];
}

/** `custom-headers`. */
export function responseHandlers(scope: IngressScope): readonly JsonObject[] {
  const fields = Object.entries(configMapOf('custom-headers', scope)?.data ?? {});
  if (fields.length === 0) return [];
  const set: Record<string, Json> = {};
  for (const [name, value] of fields) set[name] = [literal(value)];
  return [{ handler: 'headers', response: { set, deferred: true } }];
}
