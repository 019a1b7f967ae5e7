/** What to begin with, where nothing is configured. */
import type { Json } from '../../base/json.ts';
import { Card } from '../../parts/basic.tsx';
import { replace } from '../../state/configuration.ts';
import { go } from '../../state/location.ts';

const server = (handle: Json): Json => ({ main: { listen: [':8080'], routes: [{ handle: [handle] }] } });

const starters: readonly (readonly [title: string, text: string, servers: Json])[] = [
  ['Say something', 'A response on port 8080.', server({ handler: 'static_response', body: 'It works.\n' })],
  [
    'Serve files',
    'The folder in which the server was started, on port 8080.',
    server({ handler: 'file_server', browse: {} }),
  ],
  [
    'Proxy',
    'Requests on port 8080 to an application on port 3000.',
    server({ handler: 'reverse_proxy', upstreams: [{ dial: 'localhost:3000' }] }),
  ],
];

/** Three of them, and the wizard. */
export function Starters() {
  return (
    <Card title="Nothing is configured yet">
      <div class="pad row">
        {starters.map(([title, text, servers]) => (
          <button key={title} type="button" title={text} onClick={() => replace(['apps', 'http', 'servers'], servers)}>
            {title}
          </button>
        ))}
        <button type="button" onClick={() => go('sites', { add: 'proxy' })}>
          Add a site …
        </button>
      </div>
    </Card>
  );
}
