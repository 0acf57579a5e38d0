import { parseJson, stringifyYaml } from '@tributary/apimachinery';
import { indentJson } from '../request/json-indent.ts';
import type { Chunks } from './form.ts';
import type { Output } from './output.ts';

const NEWLINE = Buffer.from('\n');

/** One compact JSON document in the encoding that the client accepts. */
export function documentChunks(chunks: Chunks, { mediaType, pretty }: Output): Chunks {
  if (mediaType === 'application/yaml') return [yamlOf(Buffer.concat(chunks))];
  return pretty ? [indentJson(Buffer.concat(chunks))] : [...chunks, NEWLINE];
}

/** YAML is encoded per request and not cached: people read it, one document at a time. */
function yamlOf(json: Uint8Array): Uint8Array {
  return Buffer.from(stringifyYaml(parseJson(json)));
}
