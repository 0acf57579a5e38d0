/** YAML is read by code of ours, which takes ten times as long as JSON: a large document is made JSON in the thread. */
import {
  type DecodedYaml,
  decodeYaml,
  parseJson,
  stringifyJson,
  YamlError,
} from '@tributary/apimachinery';
import { packed, unpacked } from './sent-value.ts';

export const YAML_JOB = 'yaml';

/** Smaller documents are read on the loop: at 0.2 to 0.3 µs a byte, in less than the thread needs to begin. */
export const YAML_BYTES_ON_LOOP = 32 * 1024;

interface SentYaml extends Omit<DecodedYaml, 'value'> {
  /** The value: objects that are passed between threads cost more than JSON that is parsed. */
  readonly json: Uint8Array;
}

type Answer = { readonly ok: true; readonly yaml: SentYaml } | { readonly ok: false; why: string };

interface Ask {
  readonly text: Uint8Array;
  readonly depthMax: number;
}

export function askForYaml(text: Uint8Array, depthMax: number): Uint8Array {
  return packed({ text, depthMax } satisfies Ask);
}

/** In the thread. */
export function answerYaml(ask: Uint8Array): Uint8Array {
  return packed(answerTo(unpacked(ask) as Ask));
}

function answerTo({ text, depthMax }: Ask): Answer {
  try {
    const { value, ...rest } = decodeYaml(text, { depthMax });
    return { ok: true, yaml: { ...rest, json: Buffer.from(stringifyJson(value)) } };
  } catch (error) {
    if (error instanceof YamlError) return { ok: false, why: error.message };
    throw error;
  }
}

/** Throws the `YamlError` of the other side. */
export function receivedYaml(answer: Uint8Array): DecodedYaml {
  const received = unpacked(answer) as Answer;
  if (!received.ok) throw new YamlError(received.why);
  const { json, ...rest } = received.yaml;
  return { ...rest, value: parseJson(json) };
}
