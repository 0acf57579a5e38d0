/** Decoding YAML takes ten times as long as JSON, so large documents are converted to JSON in the thread. */
import {
  type DecodedYaml,
  decodeYaml,
  parseJson,
  stringifyJson,
  YamlError,
} from '@tributary/apimachinery';
import { pack, unpack } from './packed-value.ts';

export const YAML_JOB = 'yaml';

/**
 * Smaller documents are decoded on the event loop: at 0.2 to 0.3 µs a byte, that takes less time than the thread needs
 * to start.
 */
export const YAML_BYTES_ON_LOOP = 32 * 1024;

interface SerializedYaml extends Omit<DecodedYaml, 'value'> {
  /** The value as JSON: structured clones of objects cost more than parsing. */
  readonly json: Uint8Array;
}

type Output =
  | { readonly ok: true; readonly yaml: SerializedYaml }
  | { readonly ok: false; why: string };

interface Input {
  readonly text: Uint8Array;
  readonly depthMax: number;
}

export function yamlJobInput(text: Uint8Array, depthMax: number): Uint8Array {
  return pack({ text, depthMax } satisfies Input);
}

/** Runs in the thread. */
export function runYamlJob(input: Uint8Array): Uint8Array {
  return pack(decode(unpack(input) as Input));
}

function decode({ text, depthMax }: Input): Output {
  try {
    const { value, ...rest } = decodeYaml(text, { depthMax });
    return { ok: true, yaml: { ...rest, json: Buffer.from(stringifyJson(value)) } };
  } catch (error) {
    if (error instanceof YamlError) return { ok: false, why: error.message };
    throw error;
  }
}

/** Throws the `YamlError` of the thread. */
export function yamlJobOutput(output: Uint8Array): DecodedYaml {
  const received = unpack(output) as Output;
  if (!received.ok) throw new YamlError(received.why);
  const { json, ...rest } = received.yaml;
  return { ...rest, value: parseJson(json) };
}
