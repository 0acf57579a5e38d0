/** Passes TLS on as it is, and cuts connections at random moments, as a bad network does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { defer, type SeededRandom, type TestScope } from '../harness/index.ts';

/** How a connection ends: `in the middle` of a piece of what the server sends. */
export type Way = 'reset' | 'end' | 'in the middle';
export const ALL_WAYS: readonly Way[] = ['reset', 'end', 'in the middle'];

export interface CuttingProxyOptions {
  /** The port of the server as it is now; absent while there is none. */
  readonly backend: () => number | undefined;
  /** Absent: nothing is cut. */
  readonly cutting?: Cutting;
}

export interface Cutting {
  readonly random: SeededRandom;
  /** How long a connection lives. */
  readonly lifeMs: { readonly min: number; readonly max: number };
  readonly ways: readonly Way[];
}

export interface CuttingProxy {
  readonly url: string;
  /** How many connections were cut over which the server had sent something. */
  readonly cuts: number;
  /** From now on connections are cut like this, those too that are there already. */
  stir(cutting: Cutting): void;
  /** From now on connections stay. */
  calm(): void;
}

/** How many connections are refused instead of being cut later. */
const REFUSED = 0.1;

export async function startCuttingProxy(
  t: TestScope,
  { backend, cutting }: CuttingProxyOptions,
): Promise<CuttingProxy> {
  const links = new Set<Link>();
  let current = cutting;
  let cuts = 0;
  const doom = (link: Link, { random, lifeMs, ways }: Cutting): void => {
    const way = random.pick(ways);
    link.cutAfter(random.int(lifeMs.min, lifeMs.max), () => {
      if (current === undefined) return undefined;
      if (link.wasUsed) cuts += 1;
      return way;
    });
  };
  const server = createServer((front) => {
    const port = backend();
    const refused = current?.random.chance(REFUSED) === true;
    if (port === undefined || refused) {
      front.resetAndDestroy();
      return;
    }
    const link = new Link(front, port);
    links.add(link);
    link.whenClosed(() => links.delete(link));
    if (current !== undefined) doom(link, current);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    for (const link of links) link.cut('reset');
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    get cuts() {
      return cuts;
    },
    stir: (how) => {
      current = how;
      for (const link of links) doom(link, how);
    },
    calm: () => {
      current = undefined;
    },
  };
}

/** For a connection that is to be cut in the middle of what the server sends, but is silent. */
const SILENCE_MAX_MS = 100;

class Link {
  readonly #front: Socket;
  readonly #back: Socket;
  #timer: NodeJS.Timeout | undefined;
  #cutNextChunk = false;
  wasUsed = false;

  constructor(front: Socket, port: number) {
    this.#front = front;
    this.#back = connect(port, '127.0.0.1');
    for (const socket of [front, this.#back]) {
      socket.setNoDelay(true).on('error', () => socket.destroy());
    }
    front.pipe(this.#back);
    this.#back.on('data', (chunk: Buffer) => this.#forward(chunk));
    this.#front.on('drain', () => this.#back.resume());
    this.#back.once('end', () => front.end());
    front.once('close', () => this.#back.destroy());
    this.#back.once('close', () => front.destroy());
  }

  whenClosed(call: () => void): void {
    this.#front.once('close', () => {
      clearTimeout(this.#timer);
      call();
    });
  }

  /** At that time the way is asked for; without one the connection stays. */
  cutAfter(lifeMs: number, way: () => Way | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const chosen = way();
      if (chosen !== undefined) this.cut(chosen);
    }, lifeMs);
  }

  cut(way: Way): void {
    switch (way) {
      case 'reset':
        this.#front.resetAndDestroy();
        break;
      case 'end':
        this.#front.end();
        this.#front.destroySoon();
        break;
      case 'in the middle':
        this.#cutNextChunk = true;
        this.#timer = setTimeout(() => this.#front.destroy(), SILENCE_MAX_MS);
        break;
    }
  }

  #forward(chunk: Buffer): void {
    this.wasUsed = true;
    if (this.#cutNextChunk) {
      this.#front.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
      this.#front.destroySoon();
      this.#back.destroy();
      return;
    }
    if (!this.#front.write(chunk)) this.#back.pause();
  }
}
