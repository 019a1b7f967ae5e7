/**
 * The admin endpoint: where the API is reached. It outlives configurations: one that names another address has that
 * bound first, together with everything else of the change, and the old address is released at the swap.
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
import { defaultPatience, WaitingRequests } from './waiting.ts';

/** What a configuration says of the endpoint. */
export interface EndpointSettings extends GuardSettings {
  /** No endpoint at all. */
  readonly disabled: boolean;
  /** Address, or `null` for the default one. */
  readonly listen: string | null;
  /** TLS, for the remote endpoint; `null` for plain HTTP. */
  readonly secure: SecureSettings | null;
}

/** Settings that are ready to be adopted: bound, but not in force. */
export interface PreparedEndpoint {
  readonly settings: EndpointSettings;
  /** Permissions of a unix socket, `null` elsewhere. */
  readonly mode: number | null;
  /** What will serve; `null` for a disabled endpoint. */
  readonly binding: Binding | null;
}

export interface EndpointOptions {
  /** Where it listens unless the configuration says otherwise, such as `localhost:2019`. */
  readonly defaultAddress: string;
  readonly log: Logger;
  /** Where listening sockets are handed over to and from other processes. */
  readonly sockets?: ListenSockets;
  /** How long a request waits for the start of the server, in milliseconds. Default 30 s. */
  readonly patience?: number;
}

/** Responds to a request that the endpoint took in, guarded by the checks of the address that it came in through. */
export type EndpointListener = (request: ApiRequest, response: ApiResponse, guard: Guard) => void;

/** The service of the control thread by which the `admin` section of the configuration finds the endpoint. */
export const adminEndpoint: Token<AdminEndpoint> = token<AdminEndpoint>('admin_endpoint');

/** Likewise the endpoint for other machines, which speaks TLS and is there only if the configuration says so. */
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

/** Owns the sockets of the admin API. Made before the runtime, as a service of it. */
export class AdminEndpoint {
  readonly defaultAddress: string;
  /** Of the dashboard. */
  readonly sessions = new Sessions();
  /** Set, by who tries a change out, while it is its turn: nothing is bound then. */
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
    this.#waiting = new WaitingRequests(options.patience ?? defaultPatience);
  }

  /** Where it listens: `localhost:2019`, `unix//run/admin.sock`; `null` while it does not. */
  get address(): string | null {
    return this.#current?.text ?? null;
  }

  /** Sets who responds. `load` is called when there is an address to listen on, and requests wait for it. Called once, by the admin server. */
  serve(load: () => Promise<EndpointListener>): void {
    this.#load = load;
    if (this.#current !== null) this.#loadOnce();
  }

  /** Resolves when requests can be served; at once while there is nothing to listen on. Rejects if there is no API to be had. */
  async ready(): Promise<void> {
    await this.#loading;
  }

  /** Listens on an address, or the default one; if it listens already it moves there, without a moment of absence. */
  async listen(address: string | null = null): Promise<void> {
    this.adopt(await this.prepare({ ...defaultSettings, listen: address }));
  }

  /** Binds what settings need and is not bound yet. Rejects if that is impossible. Afterwards adopt or discard it. */
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

  /** Puts prepared settings in force. The address before, if another, completes its responses and is gone. */
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

  /** Lets go of what was prepared for settings that did not come into force. */
  discard({ binding }: PreparedEndpoint): void {
    if (binding === null || binding === this.#current) return;
    this.#waiting.refuse(binding);
    this.#retire(binding, true);
  }

  /** Resolves when no address before the current one is listened on any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#retired].map((binding) => binding.unbound));
  }

  /** Another process has the sockets, too, and accepts from now on. Responses in flight are completed. */
  leave(): void {
    if (this.#current !== null) this.#retire(this.#current);
    this.#current = null;
  }

  /** Stops listening, waits at most `graceMs` milliseconds for responses in flight, then ends everything. */
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

  /** A binding that is only prepared can be connected to, but who does has to wait until it is in force. */
  #respond(request: ApiRequest, response: ApiResponse, binding: Binding): void {
    if (!this.#serve(request, response, binding)) this.#waiting.add(request, response, binding);
  }

  /** Whether there is who can respond to a request already, and what to check it with. */
  #serve(request: ApiRequest, response: ApiResponse, { guard }: Binding): boolean {
    if (guard === null || this.#listener === null) return false;
    this.#listener(request, response, guard);
    return true;
  }

  /** Not at once: settings are adopted in the middle of the swap, and who waited is to see the configuration after it. */
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

/** Whether an address may overlap with one that is bound, such as `:2019` with `localhost:2019`. */
function sharesPort(binding: Binding, address: NetworkAddress): boolean {
  return (
    !isUnixNetwork(binding.address.network) && !isUnixNetwork(address.network) && binding.port === address.startPort
  );
}
