import {
  authorityOf,
  type Endpoint,
  type Exchange,
  type HeaderList,
  type HttpRequest,
  type PoolLimits,
  type RequestBody,
} from '../http/exchange.ts';
import { openSocket } from '../http/tls-socket.ts';
import { TransportError } from '../http/transport-error.ts';
import { type Clock, upkeepClock } from '../timing/clock.ts';
import { ReadConnection } from './read-connection.ts';

/** A server that does not take such a connection is left alone for so long; requests go the ordinary way. */
const REST_MS = 5000;
/** Many servers take 16 KiB of lines in HTTP/1.1, and more in HTTP/2. */
const HEAD_CHARACTERS_MAX = 8 * 1024;
/** What can stand in a line without ending it. The other ways say what is wrong with anything else. */
const PATH = /^\/[\x21-\x7e]*$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A few kept connections for reads, which are most of what is asked. Never waited for: whoever finds none of them free
 * goes the ordinary way, and one more is made meanwhile.
 */
export class ReadLane {
  readonly #endpoint: Endpoint;
  readonly #limits: PoolLimits;
  readonly #max: number;
  readonly #authority: string;
  readonly #all = new Set<ReadConnection>();
  /** The last one that was used is the first that is used again, so that the others can be closed. */
  readonly #free: ReadConnection[] = [];
  #dialing = 0;
  #restUntilMs = 0;
  readonly #clock: Clock;
  #cancelLook: (() => void) | undefined;
  #state: 'open' | 'retired' | 'closed' = 'open';

  constructor(endpoint: Endpoint, limits: PoolLimits, max: number) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    this.#clock = limits.upkeepClock ?? upkeepClock;
    this.#max = max;
    this.#authority = authorityOf(endpoint);
  }

  /** `otherwise` is the ordinary way. */
  open(request: HttpRequest<RequestBody>, otherwise: () => Promise<Exchange>): Promise<Exchange> {
    if (!isPlainRead(request)) return otherwise();
    for (let last = this.#free.pop(); last !== undefined; last = this.#free.pop()) {
      if (!last.isFree) continue;
      return last.open(request).catch((error) => this.#again(last, error, otherwise));
    }
    const opened = otherwise();
    // A server that cannot be reached, or is not believed, is not tried twice for one request.
    opened.then(
      () => this.#dialOneMore(),
      () => {},
    );
    return opened;
  }

  get size(): number {
    return this.#all.size;
  }

  get isIdle(): boolean {
    return this.#all.values().every(({ isIdle }) => isIdle);
  }

  closeIdle(): void {
    for (const connection of this.#all) if (connection.isIdle) connection.destroy();
  }

  retire(): void {
    if (this.#state === 'open') this.#state = 'retired';
    for (const connection of this.#all) connection.retire();
  }

  destroy(): void {
    this.#state = 'closed';
    this.#cancelLook?.();
    for (const connection of this.#all) connection.destroy();
  }

  /** A server closes kept connections when it likes, also while a request is on its way. A read may be sent again. */
  #again(
    { hasServed }: ReadConnection,
    error: unknown,
    otherwise: () => Promise<Exchange>,
  ): Promise<Exchange> {
    if (!(error instanceof TransportError && error.reusedConnection)) throw error;
    if (!hasServed) this.#restUntilMs = this.#clock.nowMs() + REST_MS;
    return otherwise();
  }

  #dialOneMore(): void {
    const isEnough = this.#all.size + this.#dialing >= this.#max;
    if (isEnough || this.#state !== 'open' || this.#clock.nowMs() < this.#restUntilMs) return;
    this.#dialing += 1;
    const { connectTimeoutMs: timeoutMs, handshakeTimeoutMs } = this.#limits;
    openSocket(this.#endpoint, { alpn: ['http/1.1'], timeoutMs, handshakeTimeoutMs })
      .then(
        (socket) => this.#add(socket),
        () => {
          this.#restUntilMs = this.#clock.nowMs() + REST_MS;
        },
      )
      .finally(() => {
        this.#dialing -= 1;
      });
  }

  #add(socket: ConstructorParameters<typeof ReadConnection>[0]): void {
    if (this.#state !== 'open') {
      socket.destroy();
      return;
    }
    const connection = new ReadConnection(socket, {
      authority: this.#authority,
      onFree: (free) => this.#put(free),
      onClose: (gone) => this.#forget(gone),
    });
    this.#all.add(connection);
    this.#put(connection);
    if (this.#cancelLook === undefined) this.#scheduleLook();
  }

  #put(connection: ReadConnection): void {
    connection.freeSinceMs = this.#clock.nowMs();
    this.#free.push(connection);
  }

  #forget(connection: ReadConnection): void {
    this.#all.delete(connection);
    const at = this.#free.indexOf(connection);
    if (at >= 0) this.#free.splice(at, 1);
    if (this.#all.size > 0) return;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  #scheduleLook(): void {
    this.#cancelLook = this.#clock.schedule(this.#limits.idleTimeoutMs / 2, () => {
      this.#scheduleLook();
      this.#closeOld();
    });
  }

  #closeOld(): void {
    const before = this.#clock.nowMs() - this.#limits.idleTimeoutMs;
    for (const connection of [...this.#free]) {
      if (connection.freeSinceMs < before) connection.destroy();
    }
  }
}

function isPlainRead({ method, path, headers, body }: HttpRequest<RequestBody>): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    body === undefined &&
    PATH.test(path) &&
    path.length < HEAD_CHARACTERS_MAX &&
    arePlain(headers)
  );
}

function arePlain(headers: HeaderList): boolean {
  let characters = 0;
  for (const [name, value] of headers) {
    if (!VALUE.test(value)) return false;
    characters += name.length + value.length;
  }
  return characters <= HEAD_CHARACTERS_MAX;
}
