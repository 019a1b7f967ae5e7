/** Generates the configuration for `sluice respond`. */
import { isUnixNetwork, joinHostPort, messageOf, parseNetworkAddress, type NetworkAddress } from '@sluice/base';
import { goType, TextTemplate, TypedNumber } from '@sluice/text-template';
import { CommandError } from '../../failure.ts';
import { readHeaderFields } from './header-fields.ts';
import { accessLogOf, bounds, quickDocument, type QuickConfig, type QuickOptions } from './quick-config.ts';

export interface RespondOptions extends QuickOptions {
  readonly listen?: string;
  readonly status?: number;
  readonly body?: string;
  readonly header?: readonly string[];
  /** Positional arguments: at most one, which is a status or a body. */
  readonly arguments?: readonly string[];
}

/** Generates a server for each port in the range. `piped` reads standard input, and is called only if no other body is given. */
export function respondConfig(options: RespondOptions, piped: () => string): QuickConfig {
  const { listen = '', header, arguments: texts = [] } = options;
  if (texts.length > 1)
    throw new CommandError('respond accepts a single argument besides its options: a status code or a body');
  const warnings: string[] = [];
  const { status, text } = readArgument(texts[0] ?? '', warnings);
  const template = parseTemplate(options.body || text || piped());
  const headers = readHeaderFields('--header', header);
  const listening = places(listen === '' ? ':0' : listen);
  const servers = listening.map((place, index) => {
    const body = execute(template, new BodyData(index, place));
    const handler = {
      handler: 'static_response',
      status_code: status ?? options.status ?? 200,
      ...(body === '' ? {} : { body }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
    const server = {
      listen: [place.address],
      routes: [{ handle: [handler] }],
      automatic_https: { disable_redirects: true },
      ...bounds,
      ...accessLogOf(options),
    };
    return [`static${index}`, server] as const;
  });
  const document = quickDocument(Object.fromEntries(servers), options);
  return { document, listen: listening.map(({ address }) => address), warnings };
}

/** Parses the positional argument. As in Caddy, a number is a status. To send the number as the body, use `--body 404`. */
function readArgument(argument: string, warnings: string[]): { readonly status?: number; readonly text: string } {
  if (!/^[+-]?\d{1,18}$/.test(argument)) return { text: argument };
  const status = Number(argument);
  if (status >= 100 && status <= 999) return { status, text: '' };
  warnings.push(`${argument} is not a three-digit status code and was ignored; use --body ${argument} to send it`);
  return { text: '' };
}

interface Place {
  readonly address: string;
  readonly port: number;
}

function places(listen: string): Place[] {
  let parsed: NetworkAddress;
  try {
    parsed = parseNetworkAddress(listen);
  } catch (error) {
    throw new CommandError(`--listen: ${messageOf(error)}`, error);
  }
  const { network, host, startPort, endPort } = parsed;
  if (isUnixNetwork(network) || network === 'fd') return [{ address: listen, port: 0 }];
  return Array.from({ length: endPort - startPort + 1 }, (_, at) => {
    const port = startPort + at;
    return { address: joinHostPort(host, port), port };
  });
}

class BodyData {
  static {
    Object.defineProperty(BodyData.prototype, goType, { value: 'struct { N int; Port uint; Address string }' });
  }

  readonly N: number;
  readonly Port: TypedNumber;
  readonly Address: string;

  constructor(index: number, { address, port }: Place) {
    this.N = index;
    this.Port = new TypedNumber('uint', port);
    this.Address = address;
  }
}

function parseTemplate(body: string): TextTemplate {
  return guarded(() => TextTemplate.parse('body', body));
}

function execute(template: TextTemplate, data: BodyData): string {
  return guarded(() => template.execute(data));
}

/** Adds the option's name to template errors, which contain only the position within the body. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandError(messageOf(error), error);
  }
}
