/** Guard for test requests in a running server. It prevents data changes. For clients with restricted permissions, it also prevents file reads. */
import type { Json } from '@sluice/base';
import { documentPart, hasNoSideEffects, isStateful, unsafeReason } from '@sluice/http-analysis';
import { httpHandlers, type PartPlace } from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import type { TestGuard } from './test-probe.ts';

/** Creates the guard. `confined` is true if the client must not read files. */
export function testGuard(document: Json, registry: Registry, confined: boolean): TestGuard {
  const isHandler = ({ id }: PartPlace): boolean => id.startsWith(`${httpHandlers.id}.`);
  return {
    rejects: (place) => {
      const { id, effect } = documentPart(document, place, registry);
      if (confined && (effect === 'reads' || effect === 'opaque') && !hasNoSideEffects(id))
        return () => `${id} may read files, but this client does not have permission to read files`;
      if (!isHandler(place) || hasNoSideEffects(id) || isStateful(id)) return null;
      return (exchange) => unsafeReason(id, exchange);
    },
  };
}
