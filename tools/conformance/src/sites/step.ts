/** Requests to a site, one per line: `GET https://blog.example.com/x {"Accept": "text/html"}`. */

/** Protocol of a request. */
export type Transport = 'http' | 'https' | 'h2' | 'h2c' | 'ws' | 'wss' | 'tls';

/** A request to a site, or only a handshake (`tls`). Strings have one character per byte. */
export interface SiteRequest {
  /** Original line. It identifies the saved response. */
  readonly line: string;
  readonly method: string;
  readonly transport: Transport;
  /** Host in the URL, used as the SNI and as the request's host. */
  readonly name: string;
  /** Request target, sent without normalization or escaping. */
  readonly target: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly settings: Settings;
}

/** Settings. Their keys begin with a colon in the file. */
export interface Settings {
  readonly body?: string;
  /** Replaces the host of the address; `null` for no host. */
  readonly host?: string | null;
  /** Replaces the SNI; empty for no SNI. */
  readonly sni?: string;
  /** Name of the client certificate, without `.pem`. */
  readonly client?: string;
  readonly version?: string;
  /** Maximum TLS version of the client. */
  readonly tls?: 'TLSv1.2';
  /** Strings to send over a WebSocket. Each must be echoed. */
  readonly send?: readonly string[];
  /** Response timeout in milliseconds. */
  readonly timeout?: number;
  /** Name of a port that replaces the port of the scheme. */
  readonly port?: string;
  /** Reason why the response differs by design, as explained in docs/differences.md. */
  readonly differs?: string;
}

/** Waits until an upstream has received this many health checks: `CHECKED two 2`. */
export interface HealthWait {
  readonly checked: string;
  readonly times: number;
}

export type Step = SiteRequest | HealthWait;

const shape = /^([^ ]+) ([a-z0-9]+):\/\/([^/?#* ]*)([^ ]*)(?: (\{.*\}))?$/;

export function isRequest(step: Step): step is SiteRequest {
  return !('checked' in step);
}

/** Parses the lines. Lines that begin with `#` are comments. */
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
