import type { GroupResource } from '@tributary/apimachinery';
import type { EncryptionConfig, EncryptionProvider } from './config.ts';
import type { KeyUsages } from './key-usage.ts';
import { ruleText } from './resource-names.ts';
import { Transformer } from './transformer.ts';

/**
 * The key prefix of a resource: all keys of its objects begin with it, and no others. It ends with a slash, unless it
 * is empty. With `*` as resource it is the common prefix of the group's resources, with `*` as both the common prefix
 * of everything.
 */
export type KeyPrefixOf = (resource: GroupResource) => string;

/** The layout `/registry/<group>/<resource>/`. The core group is called `core`, only here. */
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

/** A configuration as the store needs it: how the value of each key is encrypted and decrypted. */
export class EncryptionRules {
  /** A rule precedes those that it is an exception to, because its prefix is longer. */
  readonly #rules: readonly EncryptionRule[];
  /** Without a rule values are plain, and encrypted ones are not mistaken for plain. */
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
   * For each prefix, the additional bytes of its keys over those of the next shorter prefix: summed over all keys, the
   * bytes that encryption adds to the store.
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
 * A resource in several entries is written as the first one says and read by the providers of all of them, in order, as
 * in kube-apiserver.
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
