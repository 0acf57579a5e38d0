import type { KubeObject } from '@tributary/apimachinery';
import {
  type Client,
  type Clock,
  createInformer,
  type Informer,
  type ResourceType,
} from '@tributary/client';

export interface SharedInformersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly onError: (error: unknown, resource: string) => void;
}

/** One local copy of a resource for everybody who follows it. */
export class SharedInformers implements AsyncDisposable {
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /**
   * Begins to follow the resource with the first who asks, or of it only what a field selector selects: whoever needs
   * a few of what may be many must not hold all of them.
   */
  of<T extends KubeObject>(type: ResourceType, fieldSelector?: string): Informer<T> {
    const resource = `${type.plural}.${type.version}.${type.group}`;
    const key = fieldSelector === undefined ? resource : `${resource} (${fieldSelector})`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      const { client, clock, onError } = this.#options;
      informer = createInformer({
        resource: client.resource(type),
        ...(fieldSelector !== undefined && { fieldSelector }),
        clock,
        onError: (error) => onError(error, key),
      });
      this.#informers.set(key, informer);
      informer.start();
    }
    // Whoever asks for a resource knows what its objects are.
    return informer as unknown as Informer<T>;
  }

  /** When everything that is followed by now was read once. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.whenSynced(signal)));
  }

  /** The resources that were not read yet. */
  get missing(): readonly string[] {
    return [...this.#informers].filter(([, { synced }]) => !synced).map(([key]) => key);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
