import { constructJson } from './construct-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { yamlText } from './yaml-text.ts';

/** The maximum nesting of collections and aliases. Upstream's 10,000 would overflow the call stack. */
export const yamlDepthMax = 1_000;

export interface YamlOptions {
  readonly depthMax?: number;
}

/** Compatible with `DecodedJson`, so that bodies of both formats are handled alike. */
export interface DecodedYaml {
  readonly value: unknown;
  /** Always empty: the JSON that YAML is converted to has no duplicate fields. */
  readonly duplicateFields: readonly string[];
  /** A message per duplicate key, such as `line 3: key "name" already set in map`. */
  readonly duplicates: readonly string[];
  /** The error of upstream's strict decoder for all duplicates. */
  readonly strictError: string | undefined;
}

/**
 * Decodes the first document of a YAML body like Kubernetes: YAML 1.1 with the deviations of Go's library, converted to
 * JSON. Keys that are numbers or booleans become strings, integers beyond 2^53 bigint, timestamps stay strings, and the
 * last of duplicate keys wins. The expansion of aliases has upstream's limit.
 *
 * Throws a `YamlError` with upstream's message. A document of 3 MiB (3,200 pods) blocks the event loop for about 450 ms;
 * long text in a block scalar takes 10 ms per MiB.
 */
export function decodeYaml(bytes: Uint8Array, options: YamlOptions = {}): DecodedYaml {
  const depthMax = options.depthMax ?? yamlDepthMax;
  const root = parseYaml(yamlText(bytes), depthMax);
  if (root === undefined) {
    return { value: null, duplicateFields: [], duplicates: [], strictError: undefined };
  }
  const { value, duplicates } = constructJson(root, depthMax);
  const strictError =
    duplicates.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`;
  return { value, duplicateFields: [], duplicates, strictError };
}
