/** Starting points for an empty configuration. */
import type { Json } from '../../base/json.ts';
import { Card } from '../../parts/basic.tsx';
import { replace } from '../../state/configuration.ts';
import { go } from '../../state/location.ts';

const server = (handle: Json): Json => ({ main: { listen: [':8080'], routes: [{ handle: [handle] }] } });

const starters: readonly (readonly [title: string, text: string, servers: Json])[] = [
  ['Static response', 'A fixed response on port 8080.', server({ handler: 'static_response', body: 'It works.\n' })],
  ['Serve files', "The server's working directory, on port 8080.", server({ handler: 'file_server', browse: {} })],
  [
    'Proxy',
    'Forwards port 8080 to an application on port 3000.',
    server({ handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:3000' }] }),
  ],
];

/** Shows examples, and the form that adds a site. */
export function Starters() {
  return (
    <Card title="The configuration is empty">
      <div class="pad row">
        {starters.map(([title, text, servers]) => (
          <button key={title} type="button" title={text} onClick={() => replace(['apps', 'http', 'servers'], servers)}>
            {title}
          </button>
        ))}
        <button type="button" onClick={() => go('sites', { add: 'proxy' })}>
          Add a site…
        </button>
      </div>
    </Card>
  );
}
