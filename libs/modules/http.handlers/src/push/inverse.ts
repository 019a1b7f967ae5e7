/** Pushed resources as `push`. */
import { isArray, isObject, type Json } from '@sluice/base';
import { words, written, type Line, type WriteDirective } from '@sluice/caddyfile';
import { operationLines } from '../headers/inverse.ts';

/** `push { [METHOD] PATH; headers { … } }` */
export const push: WriteDirective = ({ resources, headers }) => {
  const block = (isArray(resources) ? resources : []).map(resourceLine);
  if (isObject(headers)) block.push({ words: ['headers'], block: operationLines(headers) });
  return written([], block);
};

function resourceLine(resource: Json): Line {
  const { method, target } = isObject(resource) ? resource : {};
  return { words: [...words(method), ...words(target)] };
}
