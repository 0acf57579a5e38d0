/**
 * Measures the service of another user, in a process of its own, so that the attacker's work does not count. Started by
 * observer.ts.
 */
import { Agent, request } from 'node:https';

export interface Observed {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Requests without a response, or with one that is an error. */
  readonly failures: readonly string[];
}

export type Observation = Readonly<Record<'liveness' | 'get' | 'write', Observed>> & {
  /** Events that a watch should have shown, and did not. */
  readonly missed: number;
  readonly watchEnds: number;
};

export interface ObserverSettings {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** An object, and the list it is in. */
  readonly object: string;
  readonly list: string;
  readonly body: object;
}

const EVERY_MS = 25;
const POLL_MS = 25;
const WRITE_EVERY = 4;
const TIMEOUT_MS = 20_000;
const FAILURES_MAX = 10;
/** An event that comes late is late, and not missed. */
const CATCH_UP_MS = 20_000;

class Series {
  readonly #times: number[] = [];
  readonly failures: string[] = [];

  async measure(work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    try {
      await work();
    } catch (error) {
      if (this.failures.length < FAILURES_MAX) this.failures.push(String(error));
    }
    this.#times.push(performance.now() - started);
  }

  take(): Observed {
    const times = this.#times.splice(0).sort((one, other) => one - other);
    const at = (part: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
    return {
      count: times.length,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
      failures: this.failures.splice(0),
    };
  }
}

class Observer {
  readonly #settings: ObserverSettings;
  readonly #agent: Agent;
  readonly #series = { liveness: new Series(), get: new Series(), write: new Series() };
  #written = 0;
  #seen = 0;
  #watchEnds = 0;
  #tick = 0;

  constructor(settings: ObserverSettings) {
    this.#settings = settings;
    const { ca, cert, key } = settings;
    this.#agent = new Agent({ keepAlive: true, ca, cert, key });
  }

  start(): void {
    void this.#watch();
    setInterval(() => this.#round(), EVERY_MS);
  }

  async take(): Promise<Observation> {
    const late = AbortSignal.timeout(CATCH_UP_MS);
    while (this.#seen < this.#written && !late.aborted) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    // Events between two watches are read from a list.
    const missed = this.#watchEnds > 0 ? 0 : Math.max(0, this.#written - this.#seen);
    this.#seen = this.#written;
    const watchEnds = this.#watchEnds;
    this.#watchEnds = 0;
    const { liveness, get, write } = this.#series;
    return { liveness: liveness.take(), get: get.take(), write: write.take(), missed, watchEnds };
  }

  #round(): void {
    const { object } = this.#settings;
    void this.#series.liveness.measure(() => this.#send('GET', '/livez'));
    void this.#series.get.measure(() => this.#send('GET', object));
    this.#tick += 1;
    if (this.#tick % WRITE_EVERY === 0) void this.#series.write.measure(() => this.#write());
  }

  async #write(): Promise<void> {
    const patch = { metadata: { annotations: { tick: String(this.#tick) } } };
    await this.#send('PATCH', this.#settings.object, JSON.stringify(patch));
    this.#written += 1;
  }

  #send(method: string, path: string, body = ''): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/merge-patch+json',
        'content-length': body.length,
      };
      const options = { method, agent: this.#agent, headers, timeout: TIMEOUT_MS };
      const outgoing = request(this.#settings.url + path, options, (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode < 300) resolve();
          else reject(new Error(`${method} answered ${statusCode}`));
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method}: no response`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Counts changes of the one object; a watch that ends is opened again, and counted. */
  async #watch(): Promise<never> {
    const { list, object } = this.#settings;
    const name = object.slice(object.lastIndexOf('/') + 1);
    const path = `${list}?watch=true&fieldSelector=metadata.name%3D${name}`;
    for (;;) {
      await new Promise<void>((resolve) => {
        const outgoing = request(this.#settings.url + path, { agent: this.#agent }, (response) => {
          response.setEncoding('utf8');
          response.on('data', (text: string) => {
            this.#seen += text.split('"type":"MODIFIED"').length - 1;
          });
          response.on('error', () => resolve());
          response.on('close', () => resolve());
        });
        outgoing.on('error', () => resolve());
        outgoing.end();
      });
      this.#watchEnds += 1;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

process.once('message', (settings: ObserverSettings) => {
  const observer = new Observer(settings);
  observer.start();
  process.on('message', () => {
    void observer.take().then((observation) => process.send?.(observation));
  });
});
process.on('disconnect', () => process.exit());
