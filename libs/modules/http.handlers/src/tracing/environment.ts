/** Reads the OpenTelemetry environment variables that the SDK doesn't read. */
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanLimits,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '@sluice/base';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the items of a comma-separated variable, such as OTEL_PROPAGATORS. */
export function listOf(environment: Environment, name: string): string[] {
  return (environment[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Returns `{ [key]: number }` for a positive number in the variable, or `{}` if the variable is unset or invalid. */
export function numberOf<K extends string>(environment: Environment, name: string, key: K): Partial<Record<K, number>> {
  const value = Number(environment[name] ?? '');
  return value > 0 ? ({ [key]: value } as Record<K, number>) : {};
}

/**
 * Returns the sampler from OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG. By default, the sampler follows the caller's sampling decision.
 * Requests without a parent span are always sampled.
 */
export function samplerOf(environment: Environment, log: Logger): Sampler {
  const name = environment['OTEL_TRACES_SAMPLER'] ?? '';
  const parentBased = name.startsWith('parentbased_');
  const root = rootSampler(
    parentBased ? name.slice('parentbased_'.length) : name,
    environment['OTEL_TRACES_SAMPLER_ARG'],
  );
  if (root === null) {
    if (name !== '') log.warn('unsupported sampler in OTEL_TRACES_SAMPLER', { sampler: name });
    return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, argument: string | undefined): Sampler | null {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio': {
      const ratio = Number(argument ?? '1');
      return new TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : 1);
    }
    default:
      return null;
  }
}

/** Returns the span limits from the variables `OTEL_SPAN_*` and `OTEL_ATTRIBUTE_*`. */
export function spanLimitsOf(environment: Environment): SpanLimits {
  return {
    ...numberOf(environment, 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'attributeValueLengthLimit'),
    ...numberOf(environment, 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'attributeValueLengthLimit'),
    ...numberOf(environment, 'OTEL_ATTRIBUTE_COUNT_LIMIT', 'attributeCountLimit'),
    ...numberOf(environment, 'OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'attributeCountLimit'),
    ...numberOf(environment, 'OTEL_SPAN_EVENT_COUNT_LIMIT', 'eventCountLimit'),
    ...numberOf(environment, 'OTEL_SPAN_LINK_COUNT_LIMIT', 'linkCountLimit'),
  };
}
