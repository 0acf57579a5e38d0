import { stringifyJson } from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import { type AggregatedVersion, apiGroupDiscoveryList, groupDiscovery } from './aggregated.ts';
import { type AggregatedPage, aggregatedPage } from './page.ts';

interface AggregatedOptions {
  readonly aggregatedVersions?: readonly AggregatedVersion[];
  readonly isAggregator?: boolean;
}

/** The part of each group, which does not depend on other groups. */
const groupTexts = new WeakMap<ApiDefinition, string>();

/** The aggregated documents of some groups, each built at first use. */
export class AggregatedPages {
  readonly #apis: readonly ApiDefinition[];
  readonly #options: AggregatedOptions;
  readonly #versions: ReadonlySet<string>;
  readonly #made = new Map<string, AggregatedPage>();

  constructor(apis: readonly ApiDefinition[], options: AggregatedOptions) {
    this.#apis = apis;
    this.#options = options;
    this.#versions = new Set(options.aggregatedVersions ?? ['v2', 'v2beta1']);
  }

  get size(): number {
    return this.#versions.size;
  }

  get(version: string): AggregatedPage | undefined {
    if (!this.#versions.has(version)) return undefined;
    const known = this.#made.get(version);
    if (known !== undefined) return known;
    const page = aggregatedPage(this.#json(version as AggregatedVersion));
    this.#made.set(version, page);
    return page;
  }

  #json(version: AggregatedVersion): Uint8Array {
    const { ordered, ...list } = apiGroupDiscoveryList(this.#apis, version, this.#options);
    const items = ordered.map((api) => {
      const text = groupTexts.get(api) ?? stringifyJson(groupDiscovery(api));
      groupTexts.set(api, text);
      return text;
    });
    return Buffer.from(`${JSON.stringify(list).slice(0, -1)},"items":[${items.join(',')}]}`);
  }
}
