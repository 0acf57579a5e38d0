import type { Client } from '@tributary/client';
import type { UserInfo } from '../../request/pipeline.ts';
import type { Exchange } from '../listener/exchange.ts';
import { inProcessClient } from './in-process-client.ts';
import { InProcessPeers } from './in-process-peers.ts';

export interface LoopbackClientOptions {
  /** Requests are authenticated as this user. */
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Requests skip the routes of the server's configuration, such as those of an aggregator. */
  readonly onlyHere?: boolean;
}

/**
 * Clients of a server in the same process. Like upstream's loopback configuration it exists before the server, so that
 * authenticators, controllers and kinds can be built with a client. Requests fail until the server is created.
 */
export class Loopback {
  readonly peers = new InProcessPeers();
  #serve: ((exchange: Exchange) => void) | undefined;

  serve(serve: (exchange: Exchange) => void): void {
    this.#serve = serve;
  }

  client({ user, userAgent, onlyHere = false }: LoopbackClientOptions): Client {
    return inProcessClient({
      serve: (exchange) => {
        if (this.#serve === undefined) throw new Error('the server is not created yet');
        this.#serve(exchange);
      },
      peer: this.peers.peerOf(user, { onlyHere }),
      userAgent,
    });
  }
}
