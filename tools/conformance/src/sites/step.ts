/** What is sent to a site, a line each: `GET https://blog.example.com/x {"Accept": "text/html"}`. */

/** How a request reaches a site. */
export type Transport = 'http' | 'https' | 'h2' | 'h2c' | 'ws' | 'wss' | 'tls';

/** A request of a site, or a handshake alone (`tls`). Text is one character per byte. */
export interface SiteRequest {
  /** The line that says it; responses are kept under it. */
  readonly line: string;
  readonly method: string;
  readonly transport: Transport;
  /** Of the address: name in the handshake, and the host of the request. */
  readonly name: string;
  /** As it goes over the wire: nothing in it is cleaned or escaped. */
  readonly target: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly settings: Settings;
}

/** Keys that begin with a colon say what is not a field. */
export interface Settings {
  readonly body?: string;
  /** In place of the name of the address; `null` for none. */
  readonly host?: string | null;
  /** Name in the handshake in place of that of the address; empty for none. */
  readonly sni?: string;
  /** Name of the client whose certificate is shown, without `.pem`. */
  readonly client?: string;
  /** Version of HTTP/1. */
  readonly version?: string;
  /** The latest version of TLS that the client speaks. */
  readonly tls?: 'TLSv1.2';
  /** Texts that are sent over a WebSocket, each of which is awaited back. */
  readonly send?: readonly string[];
  /** How long to wait where no response comes, in milliseconds. */
  readonly timeout?: number;
  /** Name of a port in place of the one of the scheme. */
  readonly port?: string;
  /** Why our response is another one; the reason stands in docs/differences.md. */
  readonly differs?: string;
}

/** Waits until the health of an upstream was asked for so often: `CHECKED two 2`. */
export interface HealthWait {
  readonly checked: string;
  readonly times: number;
}

/** A step of a site. */
export type Step = SiteRequest | HealthWait;

const shape = /^([^ ]+) ([a-z0-9]+):\/\/([^/?#* ]*)([^ ]*)(?: (\{.*\}))?$/;

/** Whether a step is a request. */
export function isRequest(step: Step): step is SiteRequest {
  return !('checked' in step);
}

/** Reads the lines; those that begin with `#` are comments. */
export function readSteps(text: string): Step[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [word, checked = '', times] = line.split(' ');
    return word === 'CHECKED' ? { checked, times: Number(times) } : readRequest(line);
  });
}

function readRequest(line: string): SiteRequest {
  const [, method = '', transport = '', name = '', target = '', rest = '{}'] = shape.exec(line) ?? [];
  if (method === '') throw new Error(`a line that says no request: ${line}`);
  const fields: [string, string][] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(JSON.parse(rest) as Record<string, unknown>)) {
    if (key.startsWith(':')) settings[key.slice(1)] = value;
    else for (const each of Array.isArray(value) ? (value as string[]) : [String(value)]) fields.push([key, each]);
  }
  return { line, method, transport: transport as Transport, name, target, fields, settings };
}
