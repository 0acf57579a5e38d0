/** Passes TLS on as it is, and cuts connections at random moments, as a bad network does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { defer, type SeededRandom, type TestScope } from '../harness/index.ts';
import type { ChangeHistory } from './history.ts';

/** How a connection ends: `in the middle` of a piece of what the server sends. */
export type Way = 'reset' | 'end' | 'in the middle';
export const ALL_WAYS: readonly Way[] = ['reset', 'end', 'in the middle'];

export interface CuttingProxyOptions {
  /** The port of the server as it is now; absent while there is none. */
  readonly backend: () => number | undefined;
  /** Absent: nothing is cut. */
  readonly cutting?: Cutting;
}

/** How many changes are made while a connection lives. */
export interface LifeChanges {
  readonly min: number;
  readonly max: number;
}

export interface Cutting {
  readonly random: SeededRandom;
  readonly history: Pick<ChangeHistory, 'onChange'>;
  readonly lifeChanges: LifeChanges;
  readonly ways: readonly Way[];
}

export interface CuttingProxy {
  readonly url: string;
  /** How many connections were cut over which the server had sent something. */
  readonly cuts: number;
  /** From now on connections are cut like this, those too that are there already. */
  stir(cutting: Cutting): void;
  /** Cuts the connections over which the server has sent something; gives their number. */
  cutNow(): number;
  /** From now on connections stay. */
  calm(): void;
}

/** How many connections are refused instead of being cut later. */
const REFUSED = 0.1;
/** For a connection that is to be cut in the middle of what the server sends, but is silent. */
const SILENCE_CHANGES = 50;

export async function startCuttingProxy(
  t: TestScope,
  { backend, cutting }: CuttingProxyOptions,
): Promise<CuttingProxy> {
  const links = new Set<Link>();
  let current: Cutting | undefined;
  let leave = (): void => undefined;
  let cuts = 0;
  const cut = (link: Link, way: Way): void => {
    if (link.wasUsed && !link.isDying) cuts += 1;
    link.cut(way);
  };
  const doom = (link: Link, { random, lifeChanges, ways }: Cutting): void => {
    const way = random.pick(ways);
    link.changesLeft = random.int(lifeChanges.min, lifeChanges.max);
    link.onLastChange = () => cut(link, way);
  };
  const stir = (how: Cutting): void => {
    leave();
    current = how;
    leave = how.history.onChange(() => {
      for (const link of links) link.changed();
    });
    for (const link of links) doom(link, how);
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
  if (cutting !== undefined) stir(cutting);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    leave();
    for (const link of links) link.cut('reset');
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    get cuts() {
      return cuts;
    },
    stir,
    cutNow: () => {
      const used = [...links].filter((link) => link.wasUsed && !link.isDying);
      for (const link of used) cut(link, 'end');
      return used.length;
    },
    calm: () => {
      leave();
      current = undefined;
      // A link that is to be cut does not wait for the server's next bytes.
      for (const link of links) if (link.isDying) link.cut('end');
    },
  };
}

class Link {
  readonly #front: Socket;
  readonly #back: Socket;
  #cutNextChunk = false;
  wasUsed = false;
  changesLeft = Number.POSITIVE_INFINITY;
  onLastChange = (): void => undefined;

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

  /** It is to be cut, or is cut, but is not closed yet. */
  get isDying(): boolean {
    return this.#cutNextChunk || this.#front.destroyed || this.#front.writableEnded;
  }

  whenClosed(call: () => void): void {
    this.#front.once('close', call);
  }

  changed(): void {
    this.changesLeft -= 1;
    if (this.changesLeft === 0) this.onLastChange();
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
        this.changesLeft = SILENCE_CHANGES;
        this.onLastChange = () => this.#front.destroy();
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
