/** Readable names for configuration paths. The tooltip shows the exact path. */
import { useMemo } from 'preact/hooks';
import type { Json, Path } from '../base/json.ts';
import { titleOf } from '../base/names.ts';
import { parseWhere, pointerOf, whereOf } from '../base/paths.ts';
import { inForce } from '../state/configuration.ts';
import { linkTo } from '../state/location.ts';

const whole = 'the whole configuration';

export function PlaceName({ path, document }: { path: Path; document: Json | undefined }) {
  const title = useMemo(() => titleOf(document, path), [document, whereOf(path)]);
  return <span title={whereOf(path)}>{title || whole}</span>;
}

/** Renders a link to a path in the current configuration, given as in messages: `apps.http.servers.demo.routes[0]`. */
export function PlaceLink({ where, onFollow }: { where: string; onFollow?: () => void }) {
  const path = parseWhere(where);
  const document = inForce.value.value;
  const title = useMemo(() => titleOf(document, path), [document, where]);
  return (
    <a href={linkTo('config', { path: pointerOf(path) })} title={where} onClick={onFollow}>
      {title || whole}
    </a>
  );
}
