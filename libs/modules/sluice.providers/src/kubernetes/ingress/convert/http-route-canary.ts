/** Converts canary Ingresses to weights and header matches of HTTPRoutes. */
import type { Json, JsonObject } from '@sluice/base';
import { Annotations } from '../annotations/reader.ts';
import { claimsOf, type Claim } from '../claims.ts';
import { ageOf } from '../../objects.ts';
import type { Ingress } from '../objects.ts';
import { backendRef, type RouteScope } from './route-scope.ts';

/** Returns the HTTPRoute rules for a path with a main backend and a canary. */
export function canaryRules(
  rule: JsonObject,
  claim: Claim,
  main: JsonObject,
  scope: RouteScope,
): readonly JsonObject[] {
  const found = canaryOf(claim, scope);
  if (found === null) return [{ ...rule, backendRefs: [main] }];
  const { annotations, backend } = found;
  const header = annotations.text('canary-by-header');
  const pattern = annotations.text('canary-by-header-pattern');
  const value = annotations.text('canary-by-header-value');
  const matching = (match: JsonObject, backendRefs: Json): JsonObject => {
    const [path = {}] = rule['matches'] as readonly JsonObject[];
    return { ...rule, matches: [{ ...path, headers: [match] }], backendRefs };
  };
  const rules: JsonObject[] = [];
  if (header !== undefined && value === undefined && pattern !== undefined)
    rules.push(matching({ type: 'RegularExpression', name: header, value: pattern }, [backend]));
  else if (header !== undefined) {
    rules.push(matching({ name: header, value: value ?? 'always' }, [backend]));
    if (value === undefined) rules.push(matching({ name: header, value: 'never' }, [main]));
  }
  const total = annotations.integer('canary-weight-total') || 100;
  const weight = Math.min(annotations.integer('canary-weight') ?? 0, total);
  const weighted =
    weight === 0
      ? [main]
      : [
          { ...main, weight: total - weight },
          { ...backend, weight },
        ];
  return [...rules, { ...rule, backendRefs: weighted }];
}

function canaryOf(
  claim: Claim,
  scope: RouteScope,
): { readonly annotations: Annotations; readonly backend: JsonObject } | null {
  const { view, settings } = scope.options;
  const [canary] = [...view.claimants(claim.id)]
    .filter((each) => isCanaryIn(each, scope))
    .sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  const found = canary === undefined ? undefined : claimsOf(canary).find(({ id }) => id === claim.id);
  if (canary === undefined || found === undefined) return null;
  return {
    annotations: new Annotations(canary, settings.prefix),
    backend: backendRef(found.backend, { ...scope, ingress: canary }),
  };
}

function isCanaryIn(ingress: Ingress, { ingress: main, options }: RouteScope): boolean {
  return (
    ingress.metadata.namespace === main.metadata.namespace &&
    new Annotations(ingress, options.settings.prefix).flag('canary') === true
  );
}
