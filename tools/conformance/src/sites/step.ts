/** Parses the requests of a test site, one per line: `GET https://blog.example.com/x {"Accept": "text/html"}`. */

/** Protocol of a request. */
export type Transport = 'http' | 'https' | 'h2' | 'h2c' | 'ws' | 'wss' | 'tls';

/** A request to a test site, or only a TLS handshake (`tls`). Strings have one character per byte. */
export interface SiteRequest {
  /** Original line of the request. It identifies the recorded response. */
  readonly line: string;
  readonly method: string;
  readonly transport: Transport;
  /** Host in the URL, used as SNI and as the Host of the request. */
  readonly name: string;
  /** Request target, sent verbatim without normalization or escaping. */
  readonly target: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly settings: Settings;
}

/** Settings of a request. In the file, their keys begin with a colon. */
export interface Settings {
  readonly body?: string;
  /** Host that replaces the host in the URL. `null` sends no Host field. */
  readonly host?: string | null;
  /** Server name that replaces the host as SNI. An empty string sends no SNI. */
  readonly sni?: string;
  /** Name of the client certificate file, without `.pem`. */
  readonly client?: string;
  readonly version?: string;
  /** Maximum TLS version that the client offers. */
  readonly tls?: 'TLSv1.2';
  /** Strings to send over a WebSocket. The server must echo each. */
  readonly send?: readonly string[];
  /** Response timeout in milliseconds. */
  readonly timeout?: number;
  /** Name of a port that replaces the default port of the scheme. */
  readonly port?: string;
  /** Reason why the response differs by design. docs/differences.md explains it. */
  readonly differs?: string;
}

/** A step that waits until an upstream has received the given number of health checks: `CHECKED two 2`. */
export interface HealthWait {
  readonly checked: string;
  readonly times: number;
}

export type Step = SiteRequest | HealthWait;

const shape = /^([^ ]+) ([a-z0-9]+):\/\/([^/?#* ]*)([^ ]*)(?: (\{.*\}))?$/;

export function isRequest(step: Step): step is SiteRequest {
  return !('checked' in step);
}

/** Parses the steps of a test site. Lines that begin with `#` are comments. */
export function readSteps(text: string): Step[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [word, checked = '', times] = line.split(' ');
    return word === 'CHECKED' ? { checked, times: Number(times) } : readRequest(line);
  });
}

function readRequest(line: string): SiteRequest {
  const [, method = '', transport = '', name = '', target = '', rest = '{}'] = shape.exec(line) ?? [];
  if (method === '') throw new Error(`invalid request line: ${line}`);
  const fields: [string, string][] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(JSON.parse(rest) as Record<string, unknown>)) {
    if (key.startsWith(':')) settings[key.slice(1)] = value;
    else for (const each of Array.isArray(value) ? (value as string[]) : [String(value)]) fields.push([key, each]);
  }
  return { line, method, transport: transport as Transport, name, target, fields, settings };
}
