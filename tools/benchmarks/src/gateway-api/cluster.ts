/** Creates and modifies objects through a Kubernetes API server. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

export interface ClusterObject {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** Maximum number of concurrent requests when many objects are written. */
const inParallel = 16;

export class TestCluster {
  readonly #server: URL;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(server: string, token: string, authority: string) {
    this.#server = new URL(server);
    this.#token = token;
    this.#agent = new Agent({ keepAlive: true, maxSockets: inParallel, ca: readFileSync(authority) });
  }

  /** Creates or replaces an object with a server-side apply. Resolves when the API server has stored it. */
  async apply(collection: string, object: ClusterObject): Promise<void> {
    const { name, namespace } = object.metadata;
    const [group = '', plural = ''] = split(collection);
    const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
    await this.#send('PATCH', `${group}${place}/${plural}/${name}?fieldManager=bench&force=true`, object);
  }

  async remove(collection: string, namespace: string, name: string): Promise<void> {
    const [group = '', plural = ''] = split(collection);
    await this.#send('DELETE', `${group}/namespaces/${namespace}/${plural}/${name}`);
  }

  /** Runs a task for each number from `from` to `to`. Several tasks run concurrently. */
  async each(from: number, to: number, task: (n: number) => Promise<void>): Promise<void> {
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to) await task(next++);
    };
    await Promise.all(Array.from({ length: inParallel }, work));
  }

  #send(method: string, path: string, body?: object): Promise<void> {
    const headers = { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/apply-patch+yaml' };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#server), { method, agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          if (response.statusCode === 200 || response.statusCode === 201) resolve();
          else reject(new Error(`${method} ${path}: ${response.statusCode ?? 0} ${text.slice(0, 300)}`));
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function split(collection: string): readonly string[] {
  const slash = collection.lastIndexOf('/');
  return [collection.slice(0, slash), collection.slice(slash + 1)];
}
