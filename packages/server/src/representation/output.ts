import { negotiate } from '../negotiation.ts';
import type { ApiRequest } from '../pipeline.ts';

/** What a client wants of an answer. */
export interface Output {
  readonly mediaType: 'application/json';
}

/** What an endpoint answers with; not every wish fits each. */
export type AnswerShape = 'object' | 'list' | 'watch';

/** Reads the wish from the request; 406 when nothing that is served would do. */
export function negotiateOutput({ headers }: ApiRequest, shape: AnswerShape): Output {
  return { mediaType: negotiate(headers.all('accept'), shape === 'watch' ? ';stream=watch' : '') };
}
