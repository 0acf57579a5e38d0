import type { GroupResource } from '@tributary/apimachinery';
import type { EncryptionConfig, EncryptionProvider } from './config.ts';
import type { KeyUsages } from './key-usage.ts';
import { ruleText } from './resource-names.ts';
import { Transformer } from './transformer.ts';

/**
 * Where the objects of a resource are kept: every key of theirs begins with the answer, and no
 * other does. It ends with a slash, unless it is empty. With `*` as resource it is what all
 * resources of the group share, with `*` as both what everything shares.
 */
export type KeyPrefixOf = (resource: GroupResource) => string;

/** The layout `/registry/<group>/<resource>/`. The group without a name is called `core`, as nowhere else. */
export const registryKeyPrefixOf: KeyPrefixOf = ({ group, resource }) => {
  if (group === '*') return '/registry/';
  const all = `/registry/${group || 'core'}/`;
  return resource === '*' ? all : `${all}${resource}/`;
};

export interface EncryptionRule {
  readonly prefix: string;
  readonly transformer: Transformer;
}

export interface EncryptionRulesOptions {
  readonly keyPrefixOf: KeyPrefixOf;
  readonly usages: KeyUsages;
}

/** A configuration as the store needs it: for each key, how its value is written and read. */
export class EncryptionRules {
  /** A rule stands before those that it is an exception to, because its prefix is longer. */
  readonly #rules: readonly EncryptionRule[];
  /** Where no rule applies values are plain, and encrypted ones are not mistaken for plain. */
  readonly #otherwise: Transformer;

  constructor(config: EncryptionConfig, { keyPrefixOf, usages }: EncryptionRulesOptions) {
    this.#rules = [...collectProviders(config, keyPrefixOf)]
      .map(([prefix, { providers }]) => ({
        prefix,
        transformer: new Transformer(providers, usages),
      }))
      .sort((a, b) => b.prefix.length - a.prefix.length);
    this.#otherwise = new Transformer([{ kind: 'identity' }], usages);
  }

  transformerOf(key: string): Transformer {
    for (const { prefix, transformer } of this.#rules) {
      if (key.startsWith(prefix)) return transformer;
    }
    return this.#otherwise;
  }

  /**
   * For each prefix, how many bytes more its keys have than they would have by the next shorter
   * prefix: summed over all keys it is what encryption adds to the store.
   */
  overheads(): { readonly prefix: string; readonly bytes: number }[] {
    return this.#rules.map(({ prefix, transformer }, at) => {
      const outer = this.#rules.slice(at + 1).find((rule) => prefix.startsWith(rule.prefix));
      const bytes = transformer.overheadBytes - (outer?.transformer.overheadBytes ?? 0);
      return { prefix, bytes };
    });
  }
}

interface Collected {
  readonly resource: string;
  readonly providers: EncryptionProvider[];
}

/**
 * A resource that several entries name is written as the first says and read by the providers of
 * all of them, in order, as kube-apiserver does.
 */
function collectProviders(
  { resources }: EncryptionConfig,
  keyPrefixOf: KeyPrefixOf,
): Map<string, Collected> {
  const collected = new Map<string, Collected>();
  for (const { resources: names, providers } of resources) {
    for (const name of names) {
      const [prefix, resource] = [keyPrefixOf(name), ruleText(name)];
      if (prefix !== '' && !prefix.endsWith('/')) {
        throw new TypeError(`the key prefix of ${resource} does not end with a slash: ${prefix}`);
      }
      const known = collected.get(prefix) ?? { resource, providers: [] };
      if (known.resource !== resource) {
        throw new TypeError(`${known.resource} and ${resource} have one key prefix: ${prefix}`);
      }
      known.providers.push(...providers);
      collected.set(prefix, known);
    }
  }
  return collected;
}
