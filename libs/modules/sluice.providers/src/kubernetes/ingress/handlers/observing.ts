/** Annotations for access logs, trace spans, and response fields. */
import type { Json, JsonObject } from '@sluice/base';
import { keyOf } from '../../objects.ts';
import { literal } from '../../../common/text.ts';
import { expanded } from './redirects.ts';
import { configMapOf, isFieldName, type IngressScope } from '../scope.ts';

export function observingHandlers({ ingress, annotations }: IngressScope): readonly JsonObject[] {
  const isTraced = annotations.flag('enable-opentelemetry') ?? annotations.flag('enable-opentracing') ?? false;
  for (const name of ['opentelemetry-trust-incoming-span', 'opentracing-trust-incoming-span'] as const)
    if (annotations.flag(name) === false) annotations.warn(name, 'incoming span contexts are always trusted');
  const operation = annotations.text('opentelemetry-operation-name');
  const span =
    operation === undefined
      ? `ingress ${literal(keyOf(ingress))}`
      : expanded('opentelemetry-operation-name', operation, annotations);
  return [
    ...(annotations.flag('enable-access-log') === false ? [{ handler: 'vars', log_skip: true }] : []),
    ...(isTraced ? [{ handler: 'tracing', span }] : []),
  ];
}

/** `custom-headers`. */
export function responseHandlers(scope: IngressScope): readonly JsonObject[] {
  const fields = Object.entries(configMapOf('custom-headers', scope)?.data ?? {}).filter(([name]) =>
    isFieldName('custom-headers', name, scope),
  );
  if (fields.length === 0) return [];
  const set: Record<string, Json> = {};
  for (const [name, value] of fields) set[name] = [literal(value)];
  return [{ handler: 'headers', response: { set, deferred: true } }];
}
