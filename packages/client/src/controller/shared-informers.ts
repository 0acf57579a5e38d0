import type { KubeObject } from '@tributary/apimachinery';
import { createInformer, type Informer } from '../informer/informer.ts';
import type { Client } from '../resource/client.ts';
import type { ResourceType } from '../resource/resource-path.ts';
import type { Clock } from '../timing/clock.ts';

export interface SharedInformersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly onError: (error: unknown, resource: string) => void;
}

/** One informer per resource and field selector, shared by all controllers. */
export class SharedInformers implements AsyncDisposable {
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();

  constructor(options: SharedInformersOptions) {
    this.#options = options;
  }

  /**
   * Starts the informer with the first call. A field selector limits memory where a controller needs few of many
   * objects.
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
    // The caller names the type of the resource's objects.
    return informer as unknown as Informer<T>;
  }

  /** Resolves when every informer started so far has listed its resource. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.whenSynced(signal)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
