/** YAML is read by code of ours, which takes ten times as long as JSON: a large document is made JSON in the thread. */
import {
  type DecodedYaml,
  decodeYaml,
  parseJson,
  stringifyJson,
  YamlError,
} from '@tributary/apimachinery';
import { pack, unpack } from './packed-value.ts';

export const YAML_JOB = 'yaml';

/** Smaller documents are read on the loop: at 0.2 to 0.3 µs a byte, in less than the thread needs to begin. */
export const YAML_BYTES_ON_LOOP = 32 * 1024;

interface SerializedYaml extends Omit<DecodedYaml, 'value'> {
  /** The value: objects that are passed between threads cost more than JSON that is parsed. */
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

/** In the thread. */
export function runYamlJob(ask: Uint8Array): Uint8Array {
  return pack(decode(unpack(ask) as Input));
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

/** Throws the `YamlError` of the other side. */
export function yamlJobOutput(answer: Uint8Array): DecodedYaml {
  const received = unpack(answer) as Output;
  if (!received.ok) throw new YamlError(received.why);
  const { json, ...rest } = received.yaml;
  return { ...rest, value: parseJson(json) };
}
