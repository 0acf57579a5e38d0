import { stringifyJson } from '@tributary/apimachinery';
import { documentChunks } from '../representation/document.ts';
import type { ObjectMediaType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { wantsPretty } from '../request/pretty.ts';

/** A document in every media type, each encoded at first use and cached. */
export type Representations = (mediaType: ObjectMediaType, pretty: boolean) => Uint8Array;

export function represent(document: object): Representations {
  return representJson(Buffer.from(stringifyJson(document)));
}

/** The same for a document that is compact JSON already. */
export function representJson(json: Uint8Array): Representations {
  const made = new Map<string, Uint8Array>();
  return (mediaType, pretty) => {
    const form = pretty ? `${mediaType}, indented` : mediaType;
    const known = made.get(form);
    if (known !== undefined) return known;
    const chunks = documentChunks([json], { mediaType, pretty, transform: undefined });
    const bytes = Buffer.concat(chunks);
    made.set(form, bytes);
    return bytes;
  };
}

export function chosenBytes(
  representations: Representations,
  mediaType: ObjectMediaType,
  request: ApiRequest,
): Uint8Array {
  return representations(mediaType, wantsPretty(request));
}
