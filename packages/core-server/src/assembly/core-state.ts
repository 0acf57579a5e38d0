import type { StaticTokens } from '@tributary/server';
import { standardRequestHeaders } from '@tributary/server/auth';
import type { Trust } from '../controllers/cluster-authentication-info.ts';
import type { CoreReload, CoreServerConfig } from './core-config.ts';

/** What can change while the server runs and is told to others. */
export class CoreState {
  readonly #config: CoreServerConfig;
  #current: CoreReload;
  /** How many service accounts are gone by now: a token of theirs is believed no longer. */
  accountsGone = 0;

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

  take(reload: CoreReload): void {
    this.#current = { ...this.#current, ...reload };
  }

  get tokens(): StaticTokens {
    return this.#current.tokens ?? new Map();
  }

  get servingCa(): string {
    return this.#current.servingCa ?? '';
  }

  /** What extension servers are told. */
  get trust(): Trust {
    const { clientCa, requestHeaderCa } = this.#current;
    const names = { ...standardRequestHeaders, ...this.#config.server.requestHeader?.names };
    return {
      clientCa,
      requestHeader: requestHeaderCa === undefined ? undefined : { ca: requestHeaderCa, ...names },
    };
  }
}
