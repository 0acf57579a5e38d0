import type { StaticTokens } from '@tributary/server';
import { standardRequestHeaders } from '@tributary/server/auth';
import type { Trust } from '../controllers/published-trust.ts';
import type { CoreReload, CoreServerConfig } from './core-config.ts';

/** Configuration that changes while the server runs. */
export class ReloadableState {
  readonly #config: CoreServerConfig;
  #current: CoreReload;
  /** The number of service accounts deleted since the start. Cached results for their tokens expire with each one. */
  deletedServiceAccounts = 0;

  constructor(config: CoreServerConfig) {
    this.#config = config;
    const { clientCa, requestHeader } = config.server;
    this.#current = {
      servingCa: config.servingCa,
      ...(clientCa !== undefined && { clientCa }),
      ...(requestHeader !== undefined && { requestHeaderCa: requestHeader.ca }),
      ...(config.tokens !== undefined && { tokens: config.tokens }),
    };
  }

  reload(reload: CoreReload): void {
    this.#current = { ...this.#current, ...reload };
  }

  get tokens(): StaticTokens {
    return this.#current.tokens ?? new Map();
  }

  get servingCa(): string {
    return this.#current.servingCa ?? '';
  }

  /** The content of the ConfigMap `kube-system/extension-apiserver-authentication`. */
  get trust(): Trust {
    const { clientCa, requestHeaderCa } = this.#current;
    const names = { ...standardRequestHeaders, ...this.#config.server.requestHeader?.names };
    return {
      clientCa,
      requestHeader: requestHeaderCa === undefined ? undefined : { ca: requestHeaderCa, ...names },
    };
  }
}
