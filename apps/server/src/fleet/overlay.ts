/** Member-specific settings: merge patches in `admin.fleet.overlays`, which each machine applies to its view of the document. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { applyMergePatch, type DocumentView } from '@sluice/reconciler';
import type { FleetIdentity } from './settings.ts';

/** Returns a machine's view of the document, with its overlays applied. */
export function overlayView({ member, labels }: FleetIdentity): DocumentView {
  const names = (list: Json | undefined, has: (name: Json) => boolean): boolean =>
    list !== undefined && isArray(list) && list.some(has);
  const isMine = (overlay: Json): boolean =>
    names(at(overlay, 'members'), (name) => name === member) ||
    names(at(overlay, 'labels'), (label) => labels.some((mine) => mine === label));
  return (document) => {
    const overlays = at(at(at(document, 'admin'), 'fleet'), 'overlays');
    if (overlays === undefined || !isArray(overlays)) return document;
    return overlays
      .filter(isMine)
      .reduce((seen: Json, overlay) => applyMergePatch(seen, at(overlay, 'merge') ?? {}), document);
  };
}

function at(value: Json | undefined, key: string): Json | undefined {
  return value !== undefined && isObject(value) ? own(value, key) : undefined;
}
