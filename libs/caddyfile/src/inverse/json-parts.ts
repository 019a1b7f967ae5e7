import { isObject, objectAt, type Json, type JsonObject } from '@sluice/base';

export { listAt, objectAt, valueAt } from '@sluice/base';

export function serversOf(document: Json): [string, JsonObject][] {
  return Object.entries(objectAt(document, ['apps', 'http', 'servers'])).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  );
}
