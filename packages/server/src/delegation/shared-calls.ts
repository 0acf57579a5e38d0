/**
 * Shares one call among concurrent callers with the same key. It is aborted when the last caller leaves, so there are
 * never more calls than requests in flight.
 */
export class SharedCalls<Value> {
  readonly #underWay = new Map<string, SharedCall<Value>>();

  get size(): number {
    return this.#underWay.size;
  }

  /** Rejects with the reason of the signal when that fires first; other callers are not affected. */
  async call(
    key: string,
    signal: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    signal?.throwIfAborted();
    const shared = this.#underWay.get(key) ?? this.#start(key, call);
    return waitFor(shared, signal, () => this.#forget(key, shared));
  }

  #start(key: string, call: (signal: AbortSignal) => Promise<Value>): SharedCall<Value> {
    const abort = new AbortController();
    const shared = { result: call(abort.signal), abort, waiting: 0 };
    this.#underWay.set(key, shared);
    const forget = () => this.#forget(key, shared);
    shared.result.then(forget, forget);
    return shared;
  }

  #forget(key: string, call: SharedCall<Value>): void {
    if (this.#underWay.get(key) === call) this.#underWay.delete(key);
  }
}

interface SharedCall<Value> {
  readonly result: Promise<Value>;
  readonly abort: AbortController;
  waiting: number;
}

async function waitFor<Value>(
  shared: SharedCall<Value>,
  signal: AbortSignal | undefined,
  onAbandoned: () => void,
): Promise<Value> {
  const left = Promise.withResolvers<never>();
  const leave = () => {
    shared.waiting -= 1;
    if (shared.waiting > 0) {
      left.reject(signal?.reason);
      return;
    }
    // Later callers start a new call: this one is about to fail.
    onAbandoned();
    shared.abort.abort(signal?.reason);
  };
  shared.waiting += 1;
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([shared.result, left.promise]);
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}
