/** OpenAPI documents, which the aggregator merges. */

export { indexV3 } from './document-v3.ts';
export { followingDocuments } from './following-documents.ts';
export { type DocumentsV3, type LocalDocuments, lazyDocuments } from './local-documents.ts';
export {
  answerIndexV3,
  answerV2,
  answerV3,
  jsonForm,
  PROTOBUF_V3,
  type Published,
  protobufFormV2,
  protobufFormV3,
  publishJson,
} from './published.ts';
