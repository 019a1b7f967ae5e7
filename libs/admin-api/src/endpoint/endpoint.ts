/**
 * The admin API endpoint. It outlives configurations. If a configuration specifies another address, the endpoint binds
 * it with the rest of the change, and releases the old address when the change becomes active.
 */
import { guarded, isUnixNetwork, ListenSockets, taskOf, type Logger, type NetworkAddress } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { openAccess } from '../access/access.ts';
import { Sessions } from '../dashboard/sessions.ts';
import type { ApiRequest } from '../messages/request.ts';
import type { ApiResponse } from '../messages/response.ts';
import { defaultSocketMode, isSameAddress, parseAdminAddress } from './address.ts';
import { Binding } from './binding.ts';
import { Guard, type GuardSettings } from './guard.ts';
import type { SecureSettings } from './secure-server.ts';
import { defaultTimeout, WaitingRequests } from './waiting.ts';

export interface EndpointSettings extends GuardSettings {
  readonly disabled: boolean;
  /** Address, or `null` for the default. */
  readonly listen: string | null;
  readonly secure: SecureSettings | null;
}

/** Settings ready to be adopted: bound, but not active. */
export interface PreparedEndpoint {
  readonly settings: EndpointSettings;
  /** Permissions of a Unix socket, otherwise `null`. */
  readonly mode: number | null;
  /** The binding to serve on; `null` for a disabled endpoint. */
  readonly binding: Binding | null;
}

export interface EndpointOptions {
  /** Default address, for example `localhost:2019`. */
  readonly defaultAddress: string;
  readonly log: Logger;
  /** Inherited listening sockets, and sockets to hand over to other processes. */
  readonly sockets?: ListenSockets;
  /** Time that requests wait for the server to start, in milliseconds. Default: 30 s. */
  readonly timeout?: number;
}

/** Responds to an admitted request, using the checks of the receiving address. */
export type EndpointListener = (request: ApiRequest, response: ApiResponse, guard: Guard) => void;

/** Control thread service through which the `admin` section finds the endpoint. */
export const adminEndpoint: Token<AdminEndpoint> = token<AdminEndpoint>('admin_endpoint');

/** Endpoint for other machines, which uses TLS and only exists if configured. */
export const remoteEndpoint: Token<AdminEndpoint> = token<AdminEndpoint>('remote_admin_endpoint');

const defaultSettings: EndpointSettings = {
  disabled: false,
  listen: null,
  enforceOrigin: false,
  origins: null,
  anyHost: false,
  ui: true,
  externalReads: 'unrestricted',
  access: openAccess,
  secure: null,
};

/** Owns the admin API sockets. A runtime service, created before the runtime. */
export class AdminEndpoint {
  readonly defaultAddress: string;
  /** Dashboard sessions. */
  readonly sessions = new Sessions();
  /** Set during a dry run by its code. No address is bound then. */
  rehearsal: symbol | null = null;
  readonly #log: Logger;
  readonly #sockets: ListenSockets;
  readonly #retired = new Set<Binding>();
  #current: Binding | null = null;
  #load: (() => Promise<EndpointListener>) | null = null;
  #loading: Promise<void> | null = null;
  #listener: EndpointListener | null = null;
  readonly #waiting: WaitingRequests;

  constructor(options: EndpointOptions) {
    this.defaultAddress = options.defaultAddress;
    this.#log = options.log;
    this.#sockets = options.sockets ?? new ListenSockets();
    this.#waiting = new WaitingRequests(options.timeout ?? defaultTimeout);
  }

  /** Current address: `localhost:2019`, `unix//run/admin.sock`; `null` while not listening. */
  get address(): string | null {
    return this.#current?.text ?? null;
  }

  /**
   * Sets the listener. `load` is called once there is an address to listen on, and requests wait until it has finished. Called once, by the
   * admin server.
   */
  serve(load: () => Promise<EndpointListener>): void {
    this.#load = load;
    if (this.#current !== null) this.#loadOnce();
  }

  /** Resolves when requests can be served; immediately if there is nothing to listen on. Rejects if the API can't be loaded. */
  async ready(): Promise<void> {
    await this.#loading;
  }

  /** Listens on an address, or the default; an existing listener moves there without downtime. */
  async listen(address: string | null = null): Promise<void> {
    this.adopt(await this.prepare({ ...defaultSettings, listen: address }));
  }

  /** Binds addresses that the settings require and that are not bound yet. Rejects on failure. Must be followed by adopt or discard. */
  async prepare(settings: EndpointSettings): Promise<PreparedEndpoint> {
    if (settings.disabled) return { settings, mode: null, binding: null };
    this.#loadOnce();
    const address = parseAdminAddress(settings.listen ?? this.defaultAddress);
    const mode = isFile(address) ? (address.mode ?? defaultSocketMode) : null;
    const current = this.#current;
    if (this.rehearsal !== null || (current !== null && isSameAddress(current.address, address)))
      return { settings, mode, binding: current };
    await this.settled();
    const shared = current !== null && sharesPort(current, address);
    const binding = await Binding.open(address, (request, response, self) => this.#respond(request, response, self), {
      shared,
      secure: settings.secure,
      log: this.#log,
      sockets: this.#sockets,
    });
    return { settings, mode, binding };
  }

  /** Activates prepared settings. A different previous address completes its responses and closes. */
  adopt({ settings, mode, binding }: PreparedEndpoint): void {
    const before = this.#current;
    this.#current = binding;
    if (binding !== null) {
      binding.begin();
      binding.guard = new Guard(settings, binding.address, binding.port);
      binding.secure = settings.secure;
      binding.refreshCertificate();
    }
    this.#retryWaiting();
    if (binding === before) {
      if (mode !== null) this.#setMode(binding, mode);
      return;
    }
    if (before !== null) this.#retire(before);
    if (binding === null) this.#log.warn('admin endpoint is disabled');
    else this.#log.info('admin endpoint listening', { address: binding.text });
  }

  /** Releases resources that were prepared for settings that did not become active. */
  discard({ binding }: PreparedEndpoint): void {
    if (binding === null || binding === this.#current) return;
    this.#waiting.refuse(binding);
    this.#retire(binding, true);
  }

  /** Resolves when no previous address is listening anymore. */
  async settled(): Promise<void> {
    await Promise.all([...this.#retired].map((binding) => binding.unbound));
  }

  /** Stops accepting, because another process now accepts on the sockets. Responses in flight are completed. */
  leave(): void {
    if (this.#current !== null) this.#retire(this.#current);
    this.#current = null;
  }

  /** Stops listening, waits at most `graceMs` milliseconds for responses in flight, then closes all connections. */
  async close(graceMs = 1000): Promise<void> {
    const bindings = [...this.#retired];
    if (this.#current !== null) bindings.push(this.#current);
    this.#current = null;
    await Promise.all(bindings.map((binding) => binding.close(graceMs)));
    this.#retired.clear();
  }

  #loadOnce(): void {
    if (this.#load === null || this.#loading !== null) return;
    this.#loading = this.#load().then((listener) => {
      this.#listener = listener;
      this.#retryWaiting();
    });
    this.#loading.catch((error: unknown) => this.#log.error('failed to load the admin API', { error }));
  }

  #setMode(binding: Binding | null, mode: number): void {
    try {
      binding?.setMode(mode);
    } catch (error) {
      this.#log.error('failed to set the permissions of the admin socket', { error });
    }
  }

  #retire(binding: Binding, now = false): void {
    this.#retired.add(binding);
    binding.retire(now);
    void binding.closed.then(() => this.#retired.delete(binding));
  }

  /** Responds to a request. A prepared binding accepts connections, but their requests wait until it is active. */
  #respond(request: ApiRequest, response: ApiResponse, binding: Binding): void {
    if (!this.#serve(request, response, binding)) this.#waiting.add(request, response, binding);
  }

  /** Serves a request if the API is loaded and the binding has a guard; otherwise returns false. */
  #serve(request: ApiRequest, response: ApiResponse, { guard }: Binding): boolean {
    if (guard === null || this.#listener === null) return false;
    this.#listener(request, response, guard);
    return true;
  }

  /**
   * Serves waiting requests later, because settings are adopted while the change becomes active, and these requests
   * must see the new configuration.
   */
  #retryWaiting(): void {
    setImmediate(
      guarded(taskOf('admin'), () =>
        this.#waiting.retry((request, response, binding) => this.#serve(request, response, binding)),
      ),
    );
  }
}

function isFile({ network, host }: NetworkAddress): boolean {
  return isUnixNetwork(network) && !host.startsWith('@');
}

/** Reports whether an address may overlap with a bound address, for example `:2019` with `localhost:2019`. */
function sharesPort(binding: Binding, address: NetworkAddress): boolean {
  return (
    !isUnixNetwork(binding.address.network) && !isUnixNetwork(address.network) && binding.port === address.startPort
  );
}
