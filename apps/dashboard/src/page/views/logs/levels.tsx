/** The configured logs and their levels. Debug logging for ten minutes is a change with auto-rollback that is never confirmed. */
import { configCall } from '../../api/calls.ts';
import { isObject, own, valueAt, type Json } from '../../base/json.ts';
import { pointerOf } from '../../base/paths.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/basic.tsx';
import { actionColumn, Table } from '../../parts/table.tsx';
import { inForce } from '../../state/configuration.ts';
import { linkTo } from '../../state/location.ts';

/** Renders a table of logs. The log `default` exists even without configuration. */
export function Levels() {
  const logs = valueAt(inForce.value.value, ['logging', 'logs']);
  const all: Readonly<Record<string, Json>> = { default: {}, ...(isObject(logs) ? logs : {}) };
  const servers = valueAt(inForce.value.value, ['apps', 'http', 'servers']);
  const silent = isObject(servers)
    ? Object.entries(servers).filter(([, server]) => own(server, 'logs') === undefined)
    : [];
  return (
    <Card title="Log levels">
      <Table columns={['Log', 'Level', 'Output', actionColumn]}>
        {Object.entries(all).map(([name, log]) => (
          <tr key={name}>
            <th scope="row">
              <a href={linkTo('config', { path: pointerOf(['logging', 'logs', name]) })}>{name}</a>
            </th>
            <td>{String(own(log, 'level') ?? 'INFO')}</td>
            <td class="soft">
              {String(own(own(log, 'writer'), 'filename') ?? own(own(log, 'writer'), 'output') ?? 'stderr')}
            </td>
            <td>
              <Action
                label="Debug for 10 min"
                call={forTenMinutes(
                  [{ op: 'add', path: `/logs/${name}/level`, value: 'DEBUG' }],
                  isObject(logs) && own(logs, name) !== undefined ? null : name,
                )}
                sure={`Set the level of the ${name} log to DEBUG? The change will be rolled back after 10 minutes. Until then, no other changes can be applied unless you confirm or roll back this change.`}
                done={`The ${name} log is set to DEBUG for the next 10 minutes`}
              />
            </td>
          </tr>
        ))}
      </Table>
      {silent.length > 0 && (
        <p class="pad soft">
          Access logs are disabled for {silent.map(([key]) => key).join(', ')}. To enable them, set <code>logs</code> in
          the server options to <code>{'{}'}</code>.{' '}
          <a href={linkTo('config', { path: pointerOf(['apps', 'http', 'servers', silent[0]?.[0] ?? '']) })}>
            Open the server
          </a>
        </p>
      )}
    </Card>
  );
}

/** Returns a patch for the `logging` section. The patch first adds missing parents. */
function forTenMinutes(
  operations: readonly { readonly op: string; readonly path: string; readonly value: Json }[],
  missing: string | null,
) {
  const logging = valueAt(inForce.value.value, ['logging']);
  const make = [
    ...(isObject(logging) ? [] : [{ op: 'add', path: '/logging', value: {} }]),
    ...(isObject(own(logging, 'logs')) ? [] : [{ op: 'add', path: '/logging/logs', value: {} }]),
    ...(missing === null ? [] : [{ op: 'add', path: `/logging/logs/${missing}`, value: {} }]),
  ];
  const all = [...make, ...operations.map((each) => ({ ...each, path: `/logging${each.path}` }))];
  return configCall('patch', [], {
    query: { confirm_within: '600s' },
    headers: { 'Content-Type': 'application/json-patch+json' },
    text: JSON.stringify(all),
  });
}
